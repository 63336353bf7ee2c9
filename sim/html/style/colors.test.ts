import { expect, test } from 'vitest'
import { dark, light } from './base.ts'

/** The colours of a style by name, as red, green and blue. */
function colorsIn(style: string): Map<string, number[]> {
  const entries = [...style.matchAll(/--([\w-]+): #(\w{6})/g)].map(
    ([, name = '', hex = '']): [string, number[]] => [
      name,
      [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255),
    ],
  )
  return new Map(entries)
}

/** The relative luminance of a colour, as defined by WCAG 2. */
function brightness(color: readonly number[] = []): number {
  const [red = NaN, green = NaN, blue = NaN] = color.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The minimum contrast of text, as required by WCAG 2. */
const leastContrast = 4.5

test.for([
  ['light', light],
  ['dark', dark],
] as const)('text is readable in %s colours: its contrast is above 4.5', ([, style]) => {
  const colors = colorsIn(style)
  for (const ground of ['paper', 'ground']) {
    for (const text of ['ink', 'soft', 'link', 'good', 'bad', 'warn']) {
      const found = contrast(brightness(colors.get(text)), brightness(colors.get(ground)))
      expect(found, `${text} on ${ground}`).toBeGreaterThan(leastContrast)
    }
  }
})

test('the light and the dark style define the same colours', () => {
  expect([...colorsIn(dark).keys()]).toEqual([...colorsIn(light).keys()])
})
