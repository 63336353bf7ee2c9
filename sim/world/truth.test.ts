import { describe, expect, test } from 'vitest'
import type { PullRequestEntry } from '../scenario/scenario.ts'
import { KnownTruth } from './truth.ts'

function truthOf(...entries: readonly PullRequestEntry[]): KnownTruth {
  const truth = new KnownTruth()
  for (const entry of entries) truth.learn(entry)
  return truth
}

describe('a branch', () => {
  test('is broken only by a pull request that breaks', () => {
    const branch = truthOf({ number: 1 }, { number: 2, breaks: true }).emptyBranch()
    expect(branch.wouldBreak([1])).toBe(false)
    expect(branch.wouldBreak([1, 2])).toBe(true)
    branch.add(1)
    expect(branch.isBroken).toBe(false)
    branch.add(2)
    expect(branch.isBroken).toBe(true)
    expect(branch.culprits([])).toEqual([2])
    expect(branch.wouldBreak([3])).toBe(true)
  })

  test('is broken by a pair only if it contains both, below or on top', () => {
    const truth = truthOf({ number: 1 }, { number: 3, breaksWith: [1] })
    const branch = truth.emptyBranch()
    expect(branch.wouldBreak([3])).toBe(false)
    expect(branch.culprits([1, 3])).toEqual([1, 3])
    branch.add(1)
    expect(branch.wouldBreak([3])).toBe(true)
    expect(branch.wouldBreak([])).toBe(false)
  })

  test('is repaired by a fix of a pull request that breaks, or of either one of a pair', () => {
    const truth = truthOf(
      { number: 2, breaks: true },
      { number: 3, breaksWith: [4] },
      { number: 5, fixes: [2, 4] },
    )
    const branch = truth.emptyBranch()
    branch.add(2)
    expect(branch.wouldBreak([5])).toBe(false)
    expect(branch.wouldBreak([3, 4])).toBe(true)
    branch.add(5)
    expect(branch.isBroken).toBe(false)
    expect(branch.wouldBreak([3, 4])).toBe(false)
  })

  test('answers for its state some commits ago', () => {
    const truth = truthOf(
      { number: 1 },
      { number: 2, breaksWith: [1] },
      { number: 3, breaks: true },
    )
    const branch = truth.emptyBranch()
    branch.addForeign()
    branch.add(1)
    branch.add(3)
    expect(branch.length).toBe(3)
    expect(branch.wouldBreak([2], 1)).toBe(false)
    expect(branch.wouldBreak([2], 2)).toBe(true)
    expect(branch.wouldBreak([], 2)).toBe(false)
    expect(branch.wouldBreak([], 3)).toBe(true)
    // A pull request that has merged since is tested on top of the older state.
    expect(branch.culprits([3], 1)).toEqual([3])
  })

  test('holds what was added, and counts a second commit of the same pull request', () => {
    const branch = truthOf({ number: 1, breaks: true }).emptyBranch()
    branch.add(1)
    branch.add(1)
    expect([branch.holds(1), branch.holds(2), branch.length]).toEqual([true, false, 2])
    expect(branch.culprits([1])).toEqual([1])
  })
})

test('text conflicts are symmetric', () => {
  const truth = truthOf({ number: 4 }, { number: 5, conflictsWith: [4] })
  expect([truth.conflict(4, 5), truth.conflict(5, 4), truth.conflict(4, 4)]).toEqual([
    true,
    true,
    false,
  ])
})
