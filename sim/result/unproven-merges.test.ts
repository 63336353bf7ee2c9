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

  describe('disjoint targets', () => {
    const lanes = { mode: 'parallel', concurrency: 4 } as const

    test('one that merged after another lane had: no run has tested the two together', () => {
      const [a, b, c] = [['a'], ['b'], ['c']]
      const minutes = { testMinutes: 15 }
      expect(
        unproven({
          queue: lanes,
          pullRequests: [
            { number: 1, targets: a },
            { number: 2, targets: b },
            { number: 3, targets: c, ...minutes },
          ],
        }),
      ).toEqual({ ...none, disjointTargets: 2 })
    })

    test('none where it was tested on the branch with the other lane in it', () => {
      expect(
        unproven({
          queue: lanes,
          pullRequests: [
            { number: 1, targets: ['a'] },
            { number: 2, targets: ['b'], at: 20 },
          ],
        }),
      ).toEqual(none)
    })

    test('nor where they share a target, and merge in the order in which they were tested', () => {
      expect(
        unproven({
          queue: lanes,
          pullRequests: [
            { number: 1, targets: ['a'] },
            { number: 2, targets: 'ALL' },
            { number: 3, targets: [], at: 1 },
          ],
        }),
      ).toEqual(none)
    })

    test('a batch beside another lane: its last member, and the others as ever', () => {
      expect(
        unproven({
          queue: { ...lanes, batch: true, batchingMinSize: 2 },
          pullRequests: [
            { number: 1, targets: ['a'] },
            { number: 2, targets: ['a'] },
            { number: 3, targets: ['b'] },
            { number: 4, targets: ['b'] },
          ],
        }),
      ).toEqual({ ...none, batchMiddle: 2, disjointTargets: 1 })
    })
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
