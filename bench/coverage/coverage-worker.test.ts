import { describe, expect, test } from 'vitest'
import { coverageWorker } from './coverage-worker.ts'

/** Exponential quantiles: as skewed as times in queue. */
const skewed = Array.from({ length: 400 }, (_, index) => -Math.log((index + 0.5) / 400))

const blocks = 400

describe('the coverage of intervals', () => {
  // S-229
  test('given a skewed figure, is nearly what it should be, and most misses lie below', () => {
    const { held, below, above } = coverageWorker({
      values: skewed,
      others: null,
      isCount: false,
      seedsOfBlock: 20,
      blocks,
    })
    expect(held).toBeGreaterThan(0.92)
    expect(held).toBeLessThan(0.98)
    expect(below).toBeGreaterThan(above)
    expect(held + below + above).toBeCloseTo(1, 12)
  })

  // S-229
  test('given blocks too small for an interval, counts the misses of what is left', () => {
    const { held, width } = coverageWorker({
      values: skewed,
      others: null,
      isCount: false,
      seedsOfBlock: 5,
      blocks,
    })
    expect(held).toBe(0)
    expect(width).toBe(0)
  })

  // S-229
  test('of a comparison is that of the ratio, for counts with zeros that of the difference', () => {
    const twice = skewed.map((value, index) => value * (index % 2 === 0 ? 1.9 : 2.1))
    const ratio = coverageWorker({
      values: twice,
      others: skewed,
      isCount: false,
      seedsOfBlock: 15,
      blocks,
    })
    expect(ratio.held).toBeGreaterThan(0.92)
    expect(ratio.width).toBeLessThan(0.1)
    const counts = skewed.map((value) => Math.floor(2 * value))
    const more = counts.map((value, index) => value + (index % 3))
    const difference = coverageWorker({
      values: more,
      others: counts,
      isCount: true,
      seedsOfBlock: 15,
      blocks,
    })
    expect(difference.held).toBeGreaterThan(0.92)
    expect(difference.width).toBeGreaterThan(0.5)
  })
})
