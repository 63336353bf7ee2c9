import { expect, test } from 'vitest'
import fc from 'fast-check'
import { chartInSizes, color, barTarget, targetMark, targetRows } from './chart.ts'
import type { Chart } from './chart.ts'
import { barList, mostListed } from './components.ts'
import { binsOf } from './bar-charts.ts'

const bars = (name: string): Chart => ({
  name,
  width: 200,
  height: 100,
  rows: [
    { what: '<b>&"', minutes: 3 },
    { what: 'b', minutes: 5 },
  ],
  layer: [
    {
      mark: { type: 'bar', color: color('testing') },
      encoding: {
        x: { field: 'minutes', type: 'quantitative' },
        y: { field: 'what', type: 'nominal' },
      },
    },
  ],
})

const chart = (picture: Chart) => chartInSizes({ wide: 0, narrow: 0 }, () => picture)

test('a chart is an SVG with a description and the colours of the page', async () => {
  const { text } = await chart(bars('Minutes <by> what'))
  expect(text).toMatch(/^<svg class="wide" viewBox="0 0 \d+ \d+" role="img"/)
  expect(text).toContain('aria-label="Minutes &lt;by&gt; what"')
  expect(text).toContain('fill="var(--testing)"')
  expect(text).toContain('&lt;b&gt;&amp;')
  expect(text).not.toMatch(/<b>|https?:/)
})

test('a bar that lists something has its index and a title, without control characters', async () => {
  const listed = [null, { about: 'five\u0000 "<b>"', members: [] }]
  const { text } = await chart({
    ...bars('Minutes'),
    layer: [
      {
        data: { values: targetRows(listed, () => ({ what: 'b' })) },
        mark: targetMark,
        encoding: { ...barTarget, x: { field: 'what', type: 'nominal' } },
      },
    ],
  })
  expect(text.match(/data-bar="\d+"/g)).toEqual(['data-bar="1"', 'data-bar="1"'])
  expect(text).toContain('<title>five\u{FFFD} &quot;&lt;b&gt;&quot;</title>')
})

test('the same chart has the same bytes, whether drawn first or after others', async () => {
  const first = await chart(bars('a'))
  await chartInSizes({ wide: 600, narrow: 300 }, (width) => ({ ...bars('b'), width }))
  expect(await chart(bars('a'))).toEqual(first)
})

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('links the pull requests that the page shows, and skips bars that list nothing', () => {
  const members = [
    { what: 'merged', numbers: [4, 5] },
    { what: 'failed', numbers: [] },
  ]
  const { text } = barList('Times', {
    bars: [null, { about: '1 to 2 min', members }],
    isShown: (number) => number === 4,
  })
  expect(text.match(/data-bar="\d+"/g)).toEqual(['data-bar="1"'])
  expect(text).toContain('<h4>1 to 2 min</h4>')
  expect(text).toContain('<span class="soft">merged</span> <a href="#pr-4">4</a>, 5')
  expect(text).not.toContain('failed')
})

// S-211
test('says how many more there are', () => {
  const textOf = (count: number, hasMore: boolean): string => {
    const bar = { about: 'all', members: [{ what: '', numbers: upTo(count) }], hasMore }
    return barList('Times', { bars: [bar], isShown: () => false }).text
  }
  expect(textOf(mostListed, false)).not.toContain('more')
  expect(textOf(mostListed + 1200, false)).toContain(' and 1,200 more')
  expect(textOf(mostListed, true)).toContain('and more, which were not kept')
})

test('a few whole numbers each get a separate bin, and lie in its middle', () => {
  expect(binsOf([3, 5, 5], { isWhole: true })).toEqual([
    { from: 2.5, to: 3.5, at: [0] },
    { from: 3.5, to: 4.5, at: [] },
    { from: 4.5, to: 5.5, at: [1, 2] },
  ])
})

test('many whole numbers share bins of equal width', () => {
  const bins = binsOf([1, 100], { isWhole: true })
  expect(bins).toHaveLength(5)
  expect(new Set(bins.map(({ from, to }) => to - from))).toEqual(new Set([20]))
})

test('durations begin at zero', () => {
  expect(binsOf([10, 20], { from: 0 })[0]).toEqual({ from: 0, to: 4, at: [] })
})

test('every value is counted once, between the first and the last bound', () => {
  const values = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(values, fc.boolean(), fc.constantFrom(1, 1000), (whole, isWhole, divisor) => {
      const all = isWhole ? whole : whole.map((value) => value / divisor)
      const bins = binsOf(all, { isWhole })
      expect(bins.flatMap(({ at }) => at).toSorted((a, b) => a - b)).toEqual([...all.keys()])
      expect(bins[0]?.from).toBeLessThanOrEqual(Math.min(...all))
      expect(bins.at(-1)?.to).toBeGreaterThanOrEqual(Math.max(...all) - 1e-6)
      expect(bins.length).toBeLessThanOrEqual(24)
    }),
  )
})
