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

describe('the optimal nested group test', () => {
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

  test('a set larger than any table uses the largest entry of the table', () => {
    expect(bestFirst(0.3, 100_000, false)).toBe(bestFirst(0.3, 512, false))
  })
})
