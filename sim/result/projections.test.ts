import { expect, test, describe } from 'vitest'
import { simulated, pullRequests, type UnnamedScenario, endsOf } from '../testing/simulated.ts'
import type { EventOf } from '../../engine/index.ts'
import { SerialOrder } from './main-health.ts'

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
      pullRequests: pullRequests({ greenOnTip: true }, { at: 30 }),
      events: [{ at: 31, do: 'manualMerge', number: 2 }],
    },
    { direct: 2 },
  ],
  [
    'a merge after a merge in another lane: no run has tested both together',
    {
      queue: lanes,
      pullRequests: pullRequests({ targets: a }, { targets: b }, { targets: c, testMinutes: 15 }),
    },
    { disjointTargets: 2 },
  ],
  [
    'a run on a branch that contains the other lane: none',
    {
      queue: lanes,
      pullRequests: pullRequests({ targets: a }, { targets: b, at: 20 }),
    },
    {},
  ],
  [
    'a common target, and merges in the order of the runs: none',
    {
      queue: lanes,
      pullRequests: pullRequests({ targets: a }, { targets: 'ALL' }, { targets: [], at: 1 }),
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

const nothing = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }
const one = pullRequests(1)

type WasteCase = readonly [
  given: string,
  scenario: UnnamedScenario,
  wasted: Partial<typeof nothing>,
]

const wasteCases: readonly WasteCase[] = [
  [
    'a bad pull request alone: nothing',
    { queue: { concurrency: 1 }, pullRequests: [{ number: 1, breaks: true }] },
    {},
  ],
  [
    'a failure below a run: the cancelled run',
    { pullRequests: [{ number: 1, breaks: true, testMinutes: 6 }, { number: 2 }] },
    { restarted: 6 },
  ],
  [
    // The first run had taken 20 minutes; the second had passed after 10.
    'a push to the branch: the verdicts that are discarded',
    {
      pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }],
      events: [{ at: 20, do: 'pushToBranch' }],
    },
    { restarted: 30 },
  ],
  [
    'a pull request that leaves: its run',
    { pullRequests: one, events: [{ at: 4, do: 'cancel', number: 1 }] },
    { cancelled: 4 },
  ],
  ['a flake: the failed run', { pullRequests: [{ number: 1, flakyRuns: [1] }] }, { flakes: 10 }],
  [
    'a runner that loses runs: these',
    { pullRequests: one, faults: { lostRunRate: 1 } },
    { errored: 30 },
  ],
  [
    'a runner that never ends runs: these',
    { queue: { testingTimeoutMinutes: 25 }, pullRequests: one, faults: { hangRate: 1 } },
    { errored: 25 },
  ],
]

test.each(wasteCases)('minutes are wasted, given %s', (_, scenario, wasted) => {
  expect(simulated(scenario).totals.wastedMinutes).toEqual({ ...nothing, ...wasted })
})

describe('the serial order', () => {
  const orderAfter = (...events: Parameters<SerialOrder['onEvent']>[0][]): SerialOrder => {
    const order = new SerialOrder()
    for (const event of events) order.onEvent(event)
    return order
  }

  test('is the order of the start, and within a batch that of its members', () => {
    const order = orderAfter(placed([1, 2]), placed([3]))
    expect([order.isFirst(1, 2), order.isFirst(2, 1), order.isFirst(2, 3)]).toEqual([
      true,
      false,
      true,
    ])
  })

  // S-57
  test('has the survivors of a bisection at the place of their start', () => {
    const order = orderAfter(placed([1, 2]), placed([3]), placed([2], 'survivors'))
    expect(order.isFirst(2, 3)).toBe(true)
  })

  test('has an urgent one ahead of all that had not merged when it started', () => {
    const order = orderAfter(placed([1]), placed([2]), merged(1), placed([3], 'urgent'))
    expect([order.isFirst(3, 2), order.isFirst(2, 3), order.isFirst(3, 1)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

function placed(
  members: readonly number[],
  cause: EventOf<'groupPlaced'>['cause'] = 'formed',
): EventOf<'groupPlaced'> {
  return { type: 'groupPlaced', group: 1, members, cause, index: 0, bisection: null }
}

function merged(number: number): EventOf<'pullRequestMoved'> {
  return {
    type: 'pullRequestMoved',
    number,
    from: 'TESTS_PASSED',
    to: 'MERGED',
    reason: 'MERGE_GRAPH_MERGE',
    testRun: null,
  }
}

describe('a lane clash', () => {
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

  test('is not reported in single mode, whatever targets were uploaded', () => {
    const result = simulated({
      pullRequests: pullRequests({ targets: ['a'] }, { targets: ['b'], conflictsWith: [1] }),
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.laneClashes).toEqual([])
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
