import { expect, test } from 'vitest'
import {
  chartForAnyScreen,
  color,
  heat,
  type Chart,
  barTarget,
  targetMark,
  targetRows,
} from './chart.ts'

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
      // The library draws rounded ends with a clip path that has an id.
      mark: { type: 'bar', color: color('testing'), cornerRadiusEnd: 2 },
      encoding: {
        x: { field: 'minutes', type: 'quantitative' },
        y: { field: 'what', type: 'nominal' },
      },
    },
  ],
})

const chart = (picture: Chart) => chartForAnyScreen(() => picture)

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
  await chartForAnyScreen((size) => ({ ...bars(size), width: size === 'wide' ? 600 : 300 }))
  expect(first.text).toContain('url(#c')
  expect(await chart(bars('a'))).toEqual(first)
})

test('a heat map uses the colours of the style, from the lowest to the highest value', async () => {
  const minutes = { field: 'minutes', type: 'quantitative' } as const
  const { text } = await chart({
    ...bars('Minutes'),
    layer: [
      {
        mark: 'rect',
        encoding: {
          x: { field: 'what', type: 'nominal' },
          color: { ...minutes, scale: { type: 'quantize', range: [...heat] } },
        },
      },
    ],
  })
  expect(text).toContain('fill="var(--heat-1)"')
  expect(text).toContain('fill="var(--heat-7)"')
})
