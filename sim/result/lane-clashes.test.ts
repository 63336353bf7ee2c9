import { describe, expect, test } from 'vitest'
import { endsOf, played } from '../testing/played.ts'

describe('a clash between lanes', () => {
  const lanes = { mode: 'parallel', concurrency: 4 } as const

  test('is told of two that break together and declared no target in common', () => {
    const result = played({
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

  test('is told of two that do not merge as text: the code host refuses the later one', () => {
    const result = played({
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

  test('is none where they share a target: the queue finds out by itself', () => {
    const result = played({
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

  test('is none in single mode, whatever was uploaded', () => {
    const result = played({
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: ['b'], conflictsWith: [1] },
      ],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.laneClashes).toEqual([])
  })

  test('counts what was declared at the start, not what was uploaded too late', () => {
    const result = played({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 2, targets: ['b'], breaksWith: [1], testMinutes: 12 },
      ],
      events: [{ at: 5, do: 'setImpactedTargets', number: 2, targets: ['a', 'b'] }],
    })
    expect(result.totals.laneClashes).toBe(1)
  })

  test('is none when one of the two is mended, or a person merged it', () => {
    const mended = played({
      queue: lanes,
      pullRequests: [
        { number: 1, targets: ['a'] },
        { number: 3, targets: ['a'], fixes: [2], testMinutes: 5 },
        { number: 2, targets: ['b'], breaksWith: [1], testMinutes: 12 },
      ],
    })
    expect(mended.totals).toMatchObject({ merged: 3, badMerged: 0, laneClashes: 0 })
    const byHand = played({
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
