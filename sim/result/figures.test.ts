import { describe, expect, test } from 'vitest'
import { simulated, pullRequests } from '../testing/simulated.ts'

describe('a pull request that is submitted again', () => {
  const result = simulated({
    pullRequests: pullRequests(1),
    events: [
      { at: 4, do: 'cancel', number: 1 },
      { at: 60, do: 'submit', number: 1 },
    ],
  })

  test('has the times of its last submission, and counts the runs of all submissions', () => {
    expect(result.pullRequests).toEqual([
      {
        number: 1,
        state: 'MERGED',
        reason: 'MERGE_GRAPH_MERGE',
        submittedAt: 60,
        startedAt: 60,
        concludedAt: 70,
        testRuns: 2,
        restarts: 0,
      },
    ])
  })

  // S-241
  test('takes its time to land from its first submission', () => {
    expect(result.timeToLandMinutes).toMatchObject({ mean: 70, p50: 70, p95: 70, max: 70 })
    expect(result.totals).toMatchObject({ cameAgain: 1, waitedHours: 1.166667 })
  })

  test('counts once, with its last outcome; its wait counts for each submission', () => {
    expect(result.totals).toMatchObject({ merged: 1, failed: 0, cancelled: 0, testRuns: 2 })
    expect(result.timeInQueueMinutes).toMatchObject({ mean: 10, max: 10 })
    expect(result.waitMinutes).toMatchObject({ mean: 0, max: 0 })
  })
})

describe('totals', () => {
  test('count runs, restarts and slots', () => {
    const { totals } = simulated({
      queue: { concurrency: 3, batch: false },
      pullRequests: [{ number: 1, breaks: true }, { number: 2 }, { number: 3 }],
    })
    expect(totals).toMatchObject({
      merged: 2,
      failed: 1,
      testRuns: 5,
      cancelledRuns: 2,
      restarts: 2,
      peakMainRuns: 3,
      peakBisectionRuns: 0,
      // Three concurrent runs of ten minutes; two of them were useless and are repeated.
      testMinutes: 50,
    })
  })

  test('count bisection runs and runs saved by the cache', () => {
    const { totals } = simulated({
      queue: { concurrency: 1, batch: true, batchingMinSize: 4 },
      pullRequests: [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4, breaks: true }],
    })
    expect(totals.bisectionRuns).toBe(totals.testRuns - 1)
    expect(totals.runsSaved).toBeGreaterThan(0)
    expect(totals.peakBisectionRuns).toBe(1)
  })
})

describe('figures that need the truth about pull requests', () => {
  test('a healthy pull request that failed because of a flake counts as evicted', () => {
    const { totals } = simulated({
      queue: { concurrency: 1 },
      pullRequests: [
        { number: 1, flakyRuns: [1] },
        { number: 2, breaks: true, flakyRuns: [1] },
      ],
    })
    expect(totals).toMatchObject({ failed: 2, healthyEvicted: 1 })
  })

  test('a pull request that breaks with another one in the queue, or conflicts with it, is not counted', () => {
    const { totals } = simulated({
      queue: { concurrency: 1 },
      pullRequests: [
        { number: 1 },
        { number: 2, breaksWith: [1] },
        { number: 3, conflictsWith: [1] },
      ],
    })
    expect(totals).toMatchObject({ failed: 2, healthyEvicted: 0 })
  })

  // S-57
  test('a pull request that another one overtook, which conflicts with it, is not counted: one of them must leave', () => {
    // 1 flakes and steps aside. 2 merges meanwhile, and then the run of 1 passes.
    const result = simulated({
      queue: { concurrency: 2, policy: 'adaptive' },
      pullRequests: [
        { number: 1, flakyRuns: [1] },
        { number: 2, at: 1, conflictsWith: [1] },
      ],
    })
    expect(result.pullRequests).toMatchObject([
      { state: 'FAILED', reason: 'START_TEST_RUN_MERGE_CONFLICT' },
      { state: 'MERGED' },
    ])
    expect(result.totals).toMatchObject({ failed: 1, healthyEvicted: 0 })
  })

  // S-57
  test('a pull request that another one overtook, which breaks together with it, is counted', () => {
    // 1 is healthy by itself, flakes, and would have merged before 2.
    const { totals } = simulated({
      queue: { concurrency: 1 },
      pullRequests: [
        { number: 1, flakyRuns: [1] },
        { number: 2, breaksWith: [1] },
      ],
    })
    expect(totals).toMatchObject({ merged: 1, failed: 1, healthyEvicted: 1 })
  })

  test('a bad pull request that was merged by hand breaks the branch until it is fixed', () => {
    const { totals } = simulated({
      pullRequests: [
        { number: 1, breaks: true },
        { number: 2, fixes: [1], at: 12 },
      ],
      events: [{ at: 2, do: 'manualMerge', number: 1 }],
    })
    expect(totals).toMatchObject({ badMerged: 1, brokenMainMinutes: 20, merged: 2 })
  })

  test('a branch that is never fixed counts as broken until the end', () => {
    const { totals } = simulated({
      pullRequests: [
        { number: 1, breaks: true },
        { number: 2, at: 5 },
      ],
      events: [{ at: 2, do: 'manualMerge', number: 1 }],
    })
    expect(totals).toMatchObject({ brokenMainMinutes: 13, merged: 1, failed: 1, healthyEvicted: 1 })
  })

  test('the lower bound on test runs is n * H2(p)', () => {
    const { theory } = simulated({ pullRequests: [{ number: 1, breaks: true }, { number: 2 }] })
    expect(theory.runsLowerBound).toBe(2)
    const few = simulated({
      traffic: { count: 16, breakRate: 0 },
      pullRequests: [{ number: 1, breaks: true }],
    })
    expect(few.theory.runsLowerBound).toBeCloseTo(5.487, 3)
    expect(simulated({ pullRequests: [{ number: 1, breaks: true }] }).theory.runsLowerBound).toBe(0)
  })
})
