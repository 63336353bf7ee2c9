import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisOver, factorTicks } from './axis.ts'
import { labelsFor } from './scatter.ts'

test.each([
  [
    [12, 40],
    [10, 20, 50],
  ],
  [
    [20, 40],
    [20, 50],
  ],
  [
    [1, 1_000_000],
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000],
  ],
  [
    [7, 7],
    [5, 10],
  ],
  [
    [586, 1210],
    [500, 1000, 2000],
  ],
] as const)('given %j, the ticks are %j', (values, ticks) => {
  expect(factorTicks(values, 7)).toEqual(ticks)
})

test('a wide axis with room for four ticks has more than one', () => {
  const { ticks } = axisOver([185, 2169], { wanted: 4, padding: 0.45, isFromZero: true })
  expect(ticks).toMatchObject({ values: [300, 1000, 3000] })
})

test('ticks enclose all values; there are at least 2 and at most 10', () => {
  const value = fc.double({ min: 1e-3, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), (values) => {
      const ticks = factorTicks(values, 7)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(10)
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values))
    }),
  )
})

const drawing = { width: 300, height: 200 }
const spot = (x: number, y: number, label: string) => ({ x, y, radius: 5, label })

test('given free space, a label is at the upper right of its dot', () => {
  const [label] = labelsFor([spot(100, 100, 'a')], drawing)
  expect(label).toMatchObject({ text: 'a', align: 'left' })
  expect(label?.x).toBeGreaterThan(100)
  expect(label?.y).toBeLessThan(95)
})

test('given a dot at the right edge, its label is at the left; at the upper edge, below', () => {
  const [label] = labelsFor([spot(298, 2, 'a name')], drawing)
  expect(label).toMatchObject({ align: 'right' })
  expect(label?.y).toBeGreaterThan(2)
})

test('labels of close dots have different positions; dots at the same position share a label', () => {
  const found = labelsFor(
    [spot(100, 100, 'one'), spot(108, 101, 'two'), spot(100, 100, 'twin')],
    drawing,
  )
  expect(found.map(({ text }) => text)).toEqual(['one, twin', 'two'])
  expect(new Set(found.map(({ align, y }) => `${align} ${y > 100}`)).size).toBe(2)
})

test('given no free space, a dot has no label', () => {
  const crowd = Array.from({ length: 40 }, (_, index) => spot(100 + (index % 5), 100, `${index}`))
  expect(
    labelsFor([...crowd, spot(102, 100, 'a name that is much too long')], drawing),
  ).toHaveLength(new Set(labelsFor(crowd, drawing).map(({ text }) => text)).size)
  expect(labelsFor([spot(1, 1, 'x'.repeat(99))], drawing)).toEqual([])
})
