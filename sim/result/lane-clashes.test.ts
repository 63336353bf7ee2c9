import { describe, expect, test } from 'vitest'
import { endsOf, simulated } from '../testing/simulated.ts'

describe('a lane clash', () => {
  const lanes = { mode: 'parallel', concurrency: 4 } as const

  test('is reported for two pull requests that break together and declared no common target', () => {
    const result = simulated({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: ['b'], breaksWith: [1], testMinutes: 12 },
      ],
    })
    expect(result.totals).toMatchObject({ merged: 2, badMerged: 1, laneClashes: 1 })
    expect(result.laneClashes).toEqual([
      { atMinutes: 12, pullRequests: [1, 2], how: 'break together' },
    ])
  })

  // S-47
  test('is reported with one that had started before the later one was written', () => {
    const result = simulated({
      seed: 2,
      queue: lanes,
      pullRequests: [{ number: 1, targets: ['a'] }],
      traffic: {
        count: 3,
        arrivals: { everyMinutes: 4 },
        clashRate: { rate: 1, across: 1 },
        targets: { names: ['a', 'b'], perPullRequest: [1, 1] },
      },
    })
    expect(result.totals).toMatchObject({ merged: 2, badMerged: 1 })
    expect(result.laneClashes).toEqual([
      { atMinutes: 10, pullRequests: [1, 1001], how: 'break together' },
    ])
  })

  test('is reported for two pull requests with a text conflict: the code host refuses the later one', () => {
    const result = simulated({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: [], conflictsWith: [1], testMinutes: 12 },
      ],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.pullRequests[1]?.reason).toBe('START_TEST_RUN_MERGE_CONFLICT')
    expect(result.laneClashes).toEqual([
      { atMinutes: 12, pullRequests: [1, 2], how: 'conflict as text' },
    ])
  })

  test('is not reported if they share a target, because the queue then finds the problem', () => {
    const result = simulated({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a', 'b'] },
        { number: 2, targets: ['b'], breaksWith: [1] },
        { number: 3, targets: 'ALL', conflictsWith: [1] },
      ],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED', 3: 'FAILED' })
    expect(result.laneClashes).toEqual([])
  })

  test('is not reported in single mode, whatever targets were uploaded', () => {
    const result = simulated({
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: ['b'], conflictsWith: [1] },
      ],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.laneClashes).toEqual([])
  })

  test('is not reported if a common target is uploaded while they are tested: one waits', () => {
    const result = simulated({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: ['b'], breaksWith: [1], testMinutes: 12 },
      ],
      events: [{ at: 5, do: 'setImpactedTargets', number: 2, targets: ['a', 'b'] }],
    })
    expect(result.totals).toMatchObject({ merged: 1, failed: 1, laneClashes: 0 })
  })

  test('is not reported if one of the two is fixed or was merged by hand', () => {
    const fixed = simulated({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 3, targets: ['a'], fixes: [2], testMinutes: 5 },
        { number: 2, targets: ['b'], breaksWith: [1], testMinutes: 12 },
      ],
    })
    expect(fixed.totals).toMatchObject({ merged: 3, badMerged: 0, laneClashes: 0 })
    const byHand = simulated({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: ['b'], breaksWith: [1], testMinutes: 12 },
      ],
      events: [{ at: 11, do: 'manualMerge', number: 2 }],
    })
    expect(byHand.totals.laneClashes).toBe(0)
  })
})
