import { expect, test } from 'vitest'
import { simulated, pullRequests, type UnnamedScenario } from '../testing/simulated.ts'

const none = { batchMiddle: 0, optimistic: 0, disjointTargets: 0, direct: 0 }
const pairs = { batch: true, batchingMinSize: 2 }
const lanes = { mode: 'parallel', concurrency: 4 } as const
const [a, b, c] = [['a'], ['b'], ['c']]

type Case = readonly [given: string, scenario: UnnamedScenario, unproven: Partial<typeof none>]

const cases: readonly Case[] = [
  ['groups of one: none', { pullRequests: pullRequests(5) }, {}],
  [
    'a batch: all members except the last',
    { queue: { batch: true, batchingMinSize: 4 }, pullRequests: pullRequests(4) },
    { batchMiddle: 3 },
  ],
  [
    'optimistic merging: those that a later run cleared',
    {
      queue: { canOptimisticallyMerge: true },
      pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }, { number: 3, at: 50 }],
    },
    { optimistic: 1 },
  ],
  [
    'direct and manual merges: those that merged without a run',
    {
      queue: { directMergeMode: 'always' },
      pullRequests: [
        { number: 1, greenOnTip: true },
        { number: 2, at: 30 },
      ],
      events: [{ at: 31, do: 'manualMerge', number: 2 }],
    },
    { direct: 2 },
  ],
  [
    'a merge after a merge in another lane: no run has tested both together',
    {
      queue: lanes,
      pullRequests: [
        { number: 1, targets: a },
        { number: 2, targets: b },
        { number: 3, targets: c, testMinutes: 15 },
      ],
    },
    { disjointTargets: 2 },
  ],
  [
    'a run on a branch that contains the other lane: none',
    {
      queue: lanes,
      pullRequests: [
        { number: 1, targets: a },
        { number: 2, targets: b, at: 20 },
      ],
    },
    {},
  ],
  [
    'a common target, and merges in the order of the runs: none',
    {
      queue: lanes,
      pullRequests: [
        { number: 1, targets: a },
        { number: 2, targets: 'ALL' },
        { number: 3, targets: [], at: 1 },
      ],
    },
    {},
  ],
  [
    'a batch and another lane: the last member counts here, the others as in a batch',
    {
      queue: { ...lanes, ...pairs },
      pullRequests: [a, a, b, b].map((targets, index) => ({ number: index + 1, targets })),
    },
    { batchMiddle: 2, disjointTargets: 1 },
  ],
  [
    'a bisection: a survivor is proven by the prefix that passed',
    {
      queue: { concurrency: 1, ...pairs },
      pullRequests: [{ number: 1 }, { number: 2, breaks: true }],
    },
    {},
  ],
]

test.each(cases)('merges whose exact tree no run has passed, given %s', (_, scenario, unproven) => {
  expect(simulated(scenario).totals.unprovenMerges).toEqual({ ...none, ...unproven })
})
