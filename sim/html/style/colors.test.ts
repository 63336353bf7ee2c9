import { expect, test } from 'vitest'
import { paletteOf } from '../testing/contrast.ts'
import { dark, light } from './base.ts'

/** The minimum contrast of text, as required by WCAG 2. */
const leastContrast = 4.5

test.for([
  ['light', light],
  ['dark', dark],
] as const)('text is readable in %s colours: its contrast is above 4.5', ([, style]) => {
  const { contrast } = paletteOf(style)
  for (const ground of ['paper', 'ground']) {
    for (const text of ['ink', 'soft', 'link', 'good', 'bad', 'warn']) {
      expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThan(leastContrast)
    }
  }
})

test('the light and the dark style define the same colours', () => {
  expect(paletteOf(dark).names).toEqual(paletteOf(light).names)
})
