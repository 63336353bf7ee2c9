import { describe, expect, test } from 'vitest'
import { between, distanceTo, limitOf, onAverage, surely, type TriedValue } from './limits.ts'

/** Values with a lead over one other setting; the interval is one below. */
const tried = (...leads: readonly (readonly [value: number, mean: number])[]): TriedValue[] =>
  leads.map(([value, mean]) => ({ value, leads: [{ mean, surely: mean - 1 }] }))

// S-232
describe('the limit of an assumption', () => {
  test('is where the lead is lost, on a straight line in the logarithm', () => {
    const limit = limitOf(tried([3, 2], [6, 1], [12, -1]), onAverage)
    expect(limit).toMatchObject({ inside: 6, outside: 12, over: 0 })
    expect(limit?.at).toBeCloseTo(6 * Math.SQRT2, 12)
  })

  test('is the first of several: a lead that comes back does not count', () => {
    const limit = limitOf(tried([3, 1], [6, -1], [12, 5]), onAverage)
    expect(limit).toMatchObject({ inside: 3, outside: 6 })
  })

  test('is nearer for what is sure than for what is so on average', () => {
    const points = tried([3, 3], [6, 2], [12, -2])
    expect(limitOf(points, surely)?.at).toBeCloseTo(6 * 2 ** 0.25, 12)
    expect(limitOf(points, onAverage)?.at).toBeCloseTo(6 * 2 ** 0.5, 12)
  })

  test('is none if the lead stays at all values tried', () => {
    expect(limitOf(tried([3, 2], [6, 1], [12, 0.5]), onAverage)).toBeNull()
  })

  test("is today's value if nothing is sure there", () => {
    expect(limitOf(tried([3, 0.5], [6, 2]), surely)).toMatchObject({ at: 3, inside: 3 })
  })

  test('names the setting that takes over first', () => {
    const lead = (mean: number) => ({ mean, surely: mean })
    const points = [
      { value: 1, leads: [lead(1), lead(3)] },
      { value: 2, leads: [lead(-1), lead(-1)] },
    ]
    expect(limitOf(points, onAverage)).toMatchObject({ over: 0 })
    expect(limitOf(points, onAverage)?.at).toBeCloseTo(Math.SQRT2, 12)
  })

  test('is in the middle if the setting does not keep up any more', () => {
    expect(limitOf(tried([4, 1], [16, -Infinity]), onAverage)?.at).toBeCloseTo(8, 12)
  })
})

test('the way to zero is straight, because zero has no logarithm', () => {
  expect(between(2, 8, 1 / 2)).toBeCloseTo(4, 12)
  expect(between(2, 0, 1 / 2)).toBe(1)
})

test('half and double are as far, and a rate of nothing is at a distance too', () => {
  expect(distanceTo(20, 10, 'min')).toBeCloseTo(distanceTo(5, 10, 'min'), 12)
  expect(distanceTo(2, 0, '% of runs')).toBeCloseTo(Math.log(5), 12)
})
