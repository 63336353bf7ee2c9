import { describe, expect, test } from 'vitest'
import { bestFirst, groupTestingTable } from './group-testing.ts'

/**
 * The best nested policy by trying every choice: no formula is shared with the table. Returns, for
 * each length of the first test, the expected number of runs to settle `unknown` members, of which
 * the first `failing` are known to fail together (0: none are).
 */
function runsByFirst(p: number): (unknown: number, failing: number) => number[] {
  const known = new Map<string, number>()
  const isBad = (count: number): number => 1 - (1 - p) ** count
  const least = (unknown: number, failing: number): number => {
    if (unknown === 0) return 0
    if (failing === 1) return least(unknown - 1, 0)
    const key = `${unknown} ${failing}`
    const runs = known.get(key) ?? Math.min(...byFirst(unknown, failing))
    known.set(key, runs)
    return runs
  }
  const byFirst = (unknown: number, failing: number): number[] => {
    const most = failing === 0 ? unknown : failing - 1
    return Array.from({ length: most }, (_, index) => {
      const first = index + 1
      const fails = isBad(first) / (failing === 0 ? 1 : isBad(failing))
      const left = Math.max(0, failing - first)
      return 1 + fails * least(unknown, first) + (1 - fails) * least(unknown - first, left)
    })
  }
  return byFirst
}

const shortestOfBest = (costs: readonly number[]): number =>
  1 + costs.findIndex((cost) => cost < Math.min(...costs) + 1e-9)

describe('the optimal nested group test', () => {
  // E-75, E-151
  test.each([0.02, 0.1, 0.15, 0.2, 0.25, 0.3, 0.37, 0.6])(
    'at rate %f no first test costs less, and of equally good ones the shortest is taken',
    (p) => {
      const size = 12
      const table = groupTestingTable(p, size)
      const runs = runsByFirst(p)
      for (let n = 1; n <= size; n++) {
        const settle = runs(n, 0)
        expect(table.settleRuns[n]).toBeCloseTo(Math.min(...settle), 9)
        expect(table.firstOfUnknown[n]).toBe(shortestOfBest(settle))
        if (n === 1) continue
        // The members behind the culprit come on top, whatever is tested first.
        expect(table.firstOfFailing[n]).toBe(shortestOfBest(runs(n, n)))
      }
    },
  )

  // E-75
  test('a large set is tested as a whole while failures are rare', () => {
    expect([33, 100, 400].map((size) => bestFirst(0.001, size, false))).toEqual([33, 100, 400])
  })

  // E-151
  test('a set larger than any table uses the largest entry of the table', () => {
    expect(bestFirst(0.3, 100_000, false)).toBe(bestFirst(0.3, 512, false))
    expect(bestFirst(0.001, 100_000, false)).toBe(512)
  })
})

// E-75
test('the first test of a set is that of the next higher rate of the grid, or of the rate itself', () => {
  let rate = 0.001
  for (let step = 0; step < 100; step++) rate *= 1.02
  expect(bestFirst(rate, 112, true)).toBe(48)
  expect(bestFirst(rate * 1.001, 112, true)).toBe(47)
})
