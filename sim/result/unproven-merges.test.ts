import { describe, expect, test } from 'vitest'
import { played, pullRequests } from '../testing/played.ts'

describe('merges whose exact tree no run had passed', () => {
  const none = { batchMiddle: 0, optimistic: 0, disjointTargets: 0, direct: 0 }
  const unproven = (sketch: Parameters<typeof played>[0]): object =>
    played(sketch).totals.unprovenMerges

  test('none, one by one', () => {
    expect(unproven({ pullRequests: pullRequests(5) })).toEqual(none)
  })

  test('all but the last of a batch', () => {
    const queue = { batch: true, batchingMinSize: 4 }
    expect(unproven({ queue, pullRequests: pullRequests(4) })).toEqual({ ...none, batchMiddle: 3 })
  })

  test('those that a later run cleared', () => {
    expect(
      unproven({
        queue: { canOptimisticallyMerge: true },
        pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }, { number: 3, at: 50 }],
      }),
    ).toEqual({ ...none, optimistic: 1 })
  })

  test('those that merged without a run', () => {
    expect(
      unproven({
        queue: { directMergeMode: 'always' },
        pullRequests: [
          { number: 1, greenOnTip: true },
          { number: 2, at: 30 },
        ],
        events: [{ at: 31, do: 'manualMerge', number: 2 }],
      }),
    ).toEqual({ ...none, direct: 2 })
  })

  test('a survivor of a bisection is proven by the prefix that passed', () => {
    expect(
      unproven({
        queue: { concurrency: 1, batch: true, batchingMinSize: 2 },
        pullRequests: [{ number: 1 }, { number: 2, breaks: true }],
      }),
    ).toEqual(none)
  })
})
