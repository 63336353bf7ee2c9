import { describe, expect, test } from 'vitest'
import { expand } from '../shrink/expand.ts'
import { endsOf, scenarioOf, simulated, violated } from '../testing/simulated.ts'
import { mostSubmissions } from './resubmissions.ts'

const resubmit = { afterMinutes: 60 }
const alone = { concurrency: 1 }

/** When each run started, in minutes. */
function startsOf({ testRuns }: ReturnType<typeof simulated>): number[] {
  return testRuns.map(({ startedAt }) => startedAt)
}

// S-242
describe('a healthy pull request that was evicted', () => {
  test('given no resubmission in the scenario, stays FAILED', () => {
    const result = simulated({ queue: alone, pullRequests: [{ number: 1, flakyRuns: [1] }] })
    expect(result.totals).toMatchObject({ failed: 1, healthyEvicted: 1, cameAgain: 0 })
  })

  test('comes again an hour later until it lands, and its time to land counts all of it', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1, at: 3, flakyRuns: [1, 2] }],
      resubmit,
    })
    expect(startsOf(result)).toEqual([3, 73, 143])
    expect(result.totals).toMatchObject({ merged: 1, failed: 0, healthyEvicted: 2, cameAgain: 1 })
    expect(result.timeToLandMinutes.max).toBe(150)
    expect(result.timeInQueueMinutes.max).toBe(10)
    expect(violated(result)).toEqual([])
  })

  test('keeps its options', () => {
    const result = simulated({
      queue: { concurrency: 2, batch: true, batchingMinSize: 3 },
      pullRequests: [
        { number: 1, noBatch: true, priority: 'high', flakyRuns: [1] },
        { number: 2, at: 70 },
      ],
      resubmit,
    })
    expect(result.testRuns.map(({ tested }) => tested)).toEqual([[1], [1], [2]])
  })

  test('does not come again if somebody was faster', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1, flakyRuns: [1, 2] }],
      events: [{ at: 30, do: 'submit', number: 1 }],
      resubmit,
    })
    // An hour after the second eviction at minute 40, not after the first at minute 10.
    expect(startsOf(result)).toEqual([0, 30, 100])
  })

  test('is submitted twenty times at most', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1, flakeRate: 1 }],
      resubmit,
    })
    expect(result.testRuns).toHaveLength(mostSubmissions)
    expect(endsOf(result)).toEqual({ 1: 'FAILED' })
    expect(violated(result)).toEqual([])
  })

  test('draws flakes and lengths anew for each submission', () => {
    const result = simulated({
      queue: alone,
      suite: { minutes: { median: 10, p95: 30 } },
      pullRequests: [{ number: 1, flakeRate: 0.8 }],
      resubmit,
    })
    const lengths = result.testRuns.map(
      ({ startedAt, finishedAt }) => (finishedAt ?? 0) - startedAt,
    )
    expect(lengths.length).toBeGreaterThan(2)
    expect(new Set(lengths).size).toBe(lengths.length)
    expect(endsOf(result)).toEqual({ 1: 'MERGED' })
  })
})

// S-242
describe('a pull request that was evicted rightly does not come again', () => {
  test('because it breaks, or conflicts with one that merged', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3, conflictsWith: [1] }],
      resubmit,
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED', 3: 'FAILED' })
    expect(result.totals).toMatchObject({ healthyEvicted: 0, cameAgain: 0 })
  })

  test('because one that it breaks with has landed before it came again', () => {
    const result = simulated({
      queue: alone,
      pullRequests: [
        { number: 1, flakyRuns: [1] },
        { number: 2, at: 20, breaksWith: [1] },
      ],
      resubmit,
    })
    // It comes again once, fails on top of the other, and that is right.
    expect(startsOf(result)).toEqual([0, 20, 70])
    expect(endsOf(result)).toEqual({ 1: 'FAILED', 2: 'MERGED' })
    expect(violated(result)).toEqual([])
  })
})

test('the expanded form of a scenario with resubmissions gives the same trace', () => {
  const scenario = scenarioOf({
    queue: { concurrency: 2, batch: true, batchingMinSize: 2 },
    traffic: { count: 30, breakRate: 0.1 },
    suiteFlakes: { perRun: 0.3 },
    resubmit,
  })
  const { traceHash, totals } = simulated(scenario)
  expect(totals.cameAgain).toBeGreaterThan(2)
  expect(simulated(expand(scenario)).traceHash).toBe(traceHash)
})
