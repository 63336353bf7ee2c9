/** Ratios of figures that are measured in turns, and how sure their median is. */

import seedrandom from 'seedrandom'
import { expect, test } from 'vitest'
import { medianRatioOf, ratioOf } from './measurement.ts'

const ones = (count: number): number[] => Array.from({ length: count }, () => 1)

test.each([12, 120])(
  'of %i rounds, the range holds the true median in 95 of 100 cases',
  (rounds) => {
    const draw = seedrandom.tychei('rounds')
    const trials = Array.from({ length: 2000 }, () => {
      // Skewed, as times are: half of the ratios lie below 2.
      const ratios = Array.from({ length: rounds }, () => 4 ** draw())
      return medianRatioOf(ratios, ones(rounds))
    })
    const held = trials.filter(({ low, high }) => low <= 2 && 2 <= high).length / trials.length
    expect(held).toBeGreaterThan(0.935)
    expect(held).toBeLessThan(0.99)
  },
)

test('the median of many rounds is that of all ratios, and a single slow round does not move it', () => {
  const under = [1, 2, 4, 8, 16]
  const over = [2, 4, 8, 16, 3200]
  expect(medianRatioOf(over, under)).toMatchObject({ median: 2, samples: 5 })
  expect(ratioOf(over, under)).toEqual({ median: 2, low: 2, high: 200, samples: 5 })
})

test('a round of which one figure is missing is refused', () => {
  expect(() => medianRatioOf([1, 2], [1])).toThrow('both figures of every round')
})
