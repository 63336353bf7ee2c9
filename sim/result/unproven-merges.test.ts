import { describe, expect, test } from 'vitest'
import { simulated, pullRequests } from '../testing/simulated.ts'

describe('unproven merges, whose exact tree no run had passed', () => {
  const none = { batchMiddle: 0, optimistic: 0, disjointTargets: 0, direct: 0 }
  const unproven = (scenario: Parameters<typeof simulated>[0]): object =>
    simulated(scenario).totals.unprovenMerges

  test('given groups of one, there are none', () => {
    expect(unproven({ pullRequests: pullRequests(5) })).toEqual(none)
  })

  test('given a batch, all members except the last', () => {
    const queue = { batch: true, batchingMinSize: 4 }
    expect(unproven({ queue, pullRequests: pullRequests(4) })).toEqual({ ...none, batchMiddle: 3 })
  })

  test('given optimistic merging, the pull requests that a later run cleared', () => {
    expect(
      unproven({
        queue: { canOptimisticallyMerge: true },
        pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }, { number: 3, at: 50 }],
      }),
    ).toEqual({ ...none, optimistic: 1 })
  })

  test('given direct and manual merges, the pull requests that merged without a run', () => {
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

    test('given a merge after a merge in another lane, no run has tested both together', () => {
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

    test('given a run on a branch that contains the other lane, there are none', () => {
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

    test('given a common target, and merges in the order of the runs, there are none', () => {
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

    test('given a batch and another lane, the last member counts here, the others as batchMiddle', () => {
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

  test('given a bisection, a survivor is proven by the prefix that passed', () => {
    expect(
      unproven({
        queue: { concurrency: 1, batch: true, batchingMinSize: 2 },
        pullRequests: [{ number: 1 }, { number: 2, breaks: true }],
      }),
    ).toEqual(none)
  })
})
