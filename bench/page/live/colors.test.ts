import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dark, light } from '../../../sim/html/style.ts'
import { paletteOf } from '../../../sim/html/testing/contrast.ts'

const parts = readFileSync(
  new URL('../../../../server/page/web/parts/parts.css', import.meta.url),
  'utf8',
)

const [ofLight = '', ofDark = ''] = parts.split('@media (prefers-color-scheme: dark)')

test.for([
  ['light', `${light}${ofLight}`],
  ['dark', `${dark}${ofDark}`],
] as const)('the words and marks of all states can be read in %s colours', ([, style]) => {
  const { contrast } = paletteOf(style)
  for (const state of ['soft', 'link', 'good', 'warn', 'search', 'bad']) {
    for (const ground of ['paper', 'ground'])
      expect(contrast(state, ground), `${state} on ${ground}`).toBeGreaterThan(4.5)
    // The sign that is cut out of a filled mark.
    expect(contrast(state, 'on-mark'), state).toBeGreaterThan(3)
  }
})
