import { describe, expect, test } from 'vitest'
import { bestFirst, groupTestingTable } from './group-testing.ts'

/** Expected runs when the batch itself is run whole first. */
function runsOfBatch(p: number, n: number): number {
  const { settleRuns, searchRuns } = groupTestingTable(p, n)
  const q = 1 - p
  let runs = 1 + (1 - q ** n) * (searchRuns[n] ?? 0)
  for (let place = 1; place <= n; place++) {
    runs += q ** (place - 1) * p * (settleRuns[n - place] ?? 0)
  }
  return runs
}

describe('the optimal nested group test', () => {
  test.each([
    // Published values of the optimal nested policy, the first test being the whole batch.
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

  test('beyond a rate of (3 - sqrt 5) / 2 testing together helps nobody', () => {
    expect(bestFirst(0.4, 16, false)).toBe(1)
    expect(bestFirst(0.36, 16, false)).toBeGreaterThan(1)
  })

  test('a failing set is cut near its middle while failures are rare', () => {
    expect(bestFirst(0.005, 4, true)).toBe(2)
    expect(bestFirst(0.005, 16, true)).toBe(8)
  })

  test('a set larger than any table is tested by its largest entry', () => {
    expect(bestFirst(0.3, 100_000, false)).toBe(bestFirst(0.3, 512, false))
  })
})
