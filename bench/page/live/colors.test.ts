import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dark, light } from '../../../sim/html/style/base.ts'

const parts = readFileSync(
  new URL('../../../../server/page/web/parts/parts.css', import.meta.url),
  'utf8',
)

/** The colours of a style by name, as red, green and blue. */
function colorsIn(style: string): Map<string, number[]> {
  const found = [...style.matchAll(/--([\w-]+): #(\w{6})/g)]
  return new Map(
    found.map(([, name = '', hex = '']) => [
      name,
      [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255),
    ]),
  )
}

/** The relative luminance of a colour, as defined by WCAG 2. */
function luminance(color: readonly number[] = []): number {
  const [red = NaN, green = NaN, blue = NaN] = color.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const [ofLight = '', ofDark = ''] = parts.split('@media (prefers-color-scheme: dark)')

test.for([
  ['light', `${light}${ofLight}`],
  ['dark', `${dark}${ofDark}`],
] as const)('the words and marks of all states can be read in %s colours', ([, style]) => {
  const colors = colorsIn(style)
  for (const state of ['soft', 'link', 'good', 'warn', 'search', 'bad']) {
    const found = luminance(colors.get(state))
    for (const ground of ['paper', 'ground']) {
      const text = `${state} on ${ground}`
      expect(contrast(found, luminance(colors.get(ground))), text).toBeGreaterThan(4.5)
    }
    // The sign that is cut out of a filled mark.
    expect(contrast(found, luminance(colors.get('on-mark'))), state).toBeGreaterThan(3)
  }
})
