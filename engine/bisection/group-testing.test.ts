import { describe, expect, test } from 'vitest'
import { bestFirst, groupTestingTable } from './group-testing.ts'

/** The expected number of runs if the first run tests the whole batch. */
function runsOfBatch(p: number, n: number): number {
  const { settleRuns, searchRuns } = groupTestingTable(p, n)
  const q = 1 - p
  let runs = 1 + (1 - q ** n) * (searchRuns[n] ?? 0)
  for (let culprit = 1; culprit <= n; culprit++) {
    runs += q ** (culprit - 1) * p * (settleRuns[n - culprit] ?? 0)
  }
  return runs
}

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

  test.each([
    // Published values of the optimal nested policy whose first test is the whole batch.
    [2, 0.01, 1.0299],
    [2, 0.2, 1.56],
    [4, 0.01, 1.1095],
    [4, 0.05, 1.53763],
    [4, 0.2, 3.008],
    [8, 0.02, 1.61172],
    [8, 0.1, 3.90441],
    [16, 0.01, 1.78165],
    [16, 0.05, 4.75322],
  ])('a batch of %i at rate %f costs %f runs', (n, p, expected) => {
    expect(runsOfBatch(p, n)).toBeCloseTo(expected, 4)
  })

  test('above a failure rate of (3 - sqrt 5) / 2 members are tested one by one', () => {
    expect(bestFirst(0.4, 16, false)).toBe(1)
    expect(bestFirst(0.36, 16, false)).toBeGreaterThan(1)
  })

  // E-75
  test('while failures are rare, a failing set is cut near its middle', () => {
    expect(bestFirst(0.005, 4, true)).toBe(2)
    expect(bestFirst(0.005, 16, true)).toBe(8)
  })

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

describe('the first test of a set', () => {
  // E-75
  test('is looked up for sets of any size, also after smaller ones', () => {
    const firsts = [32, 33, 64, 65].map((size) => bestFirst(0.001, size, false))
    expect(firsts).toEqual([32, 33, 64, 65])
    expect(bestFirst(0.001, 600, false)).toBe(512)
  })

  // E-75
  test('has one member if the set has one, or if nearly everything fails', () => {
    expect(bestFirst(0.02, 1, true)).toBe(1)
    expect(bestFirst(0.99, 4, false)).toBe(1)
  })

  // E-75
  test('is that of the next higher rate of the grid, or of the rate itself', () => {
    let rate = 0.001
    for (let step = 0; step < 100; step++) rate *= 1.02
    expect(bestFirst(rate, 112, true)).toBe(48)
    expect(bestFirst(rate * 1.001, 112, true)).toBe(47)
  })
})
