/** One contract for the simulated code host and a real one: the same stories end in the same way. */

import { expect, test } from 'vitest'
import type { PullRequestEntry } from '../../../../sim/scenario/scenario.ts'
import type { ContractCase, Ended, ContractHost } from './contract-case.ts'

// The contract that every code host keeps: one table, played on each of them.

/** Pull requests 1 to `count`, which harm nobody. */
function pullRequests(count: number): PullRequestEntry[] {
  return Array.from({ length: count }, (_, index) => ({ number: index + 1 }))
}

const batchOf = (size: number) =>
  ({
    concurrency: 1,
    batch: true,
    batchingMinSize: size,
    batchingMaxWaitTimeMinutes: 0,
  }) as const

const bisected = 'BISECTION_REQUIRED'
const moved = 'MANUAL_PUSH_TO_TARGET_BRANCH'
const aheadLeft = 'PREREQUISITE_MERGE_ITEM_CANCELLED'
const aheadFailed = 'PREREQUISITE_MERGE_ITEM_FAILED'

/** What lands becomes MERGED, the host is asked for each landing once, and nobody begins again, but for `others`. */
function landing(landings: Ended['landings'], others: Partial<Ended> = {}): Ended {
  const merged = landings.flat()
  const ends = Object.fromEntries(merged.map((number) => [number, 'MERGED']))
  return {
    ...{ merged, restarts: {}, asked: landings, landings, ...others },
    ends: { ...ends, ...others.ends },
  }
}

const contractCases: readonly ContractCase[] = [
  {
    it: 'a group lands whole, once and in order',
    queue: batchOf(3),
    pullRequests: pullRequests(3),
    expected: landing([[1, 2, 3]]),
  },
  {
    it: 'what landed was tested: of a batch that fails, the rest lands without the culprit',
    queue: batchOf(3),
    pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }],
    expected: landing([[1], [3]], {
      ends: { 2: 'FAILED TEST_RUN_REQUIRED_STATUS_FAILED' },
      restarts: { 1: [bisected], 2: [bisected], 3: [bisected] },
    }),
  },
  {
    it: 'a host that is asked twice lands once: the answer was lost when the queue started again',
    queue: batchOf(2),
    pullRequests: pullRequests(2),
    happening: { when: 'landed', do: 'startAgain' },
    simulated: { faults: { crashRate: 1, lostCommandRate: 1 } },
    expected: landing([[1, 2]]),
  },
  {
    it: 'a queue that starts again while it tests loses nobody',
    queue: { concurrency: 2 },
    pullRequests: pullRequests(2),
    happening: { when: 'testing', do: 'startAgain' },
    simulated: { faults: { crashRate: 1 } },
    expected: landing([[1], [2]]),
  },
  {
    it: 'a push to the target branch while it tests makes all be tested again, and fails nobody',
    queue: { concurrency: 2 },
    pullRequests: pullRequests(2),
    happening: { when: 'testing', do: 'pushToBranch' },
    expected: landing([[1], [2]], { restarts: { 1: [moved], 2: [moved] } }),
  },
  {
    it: 'a target branch that moves during a merge is no refusal: the group is tested again',
    queue: batchOf(2),
    pullRequests: pullRequests(2),
    happening: { when: 'landing', do: 'pushToBranch' },
    simulated: { faults: { branchMovedRate: 0.5 }, seed: 8 },
    expected: landing([[1, 2]], {
      restarts: { 1: [moved], 2: [moved] },
      asked: [
        [1, 2],
        [1, 2],
      ],
    }),
  },
  {
    it: 'a push to a pull request during its merge fails it alone, and nothing of that push lands',
    queue: batchOf(3),
    pullRequests: pullRequests(3),
    happening: { when: 'landing', do: 'push', number: 2 },
    simulated: { faults: { mergePushedRate: 0.5 }, seed: 10 },
    expected: landing([[1, 3]], {
      ends: { 2: 'FAILED PR_UPDATED_AT_MERGE_TIME' },
      restarts: { 1: [aheadFailed], 3: [aheadFailed] },
      asked: [
        [1, 2, 3],
        [1, 3],
      ],
    }),
  },
  {
    it: 'a merge that is refused leaves the branch as it was',
    queue: { mode: 'parallel', concurrency: 2 },
    pullRequests: [
      { number: 1, targets: ['web'] },
      { number: 2, targets: ['api'], conflictsWith: [1] },
    ],
    expected: landing([[1]], {
      ends: { 2: 'FAILED START_TEST_RUN_MERGE_CONFLICT' },
      asked: [[1], [2]],
    }),
  },
  {
    it: 'a pull request that is closed leaves the queue, and those behind it go on',
    queue: { concurrency: 2 },
    pullRequests: pullRequests(2),
    happening: { when: 'testing', do: 'close', number: 1 },
    expected: landing([[2]], { ends: { 1: 'CANCELLED PR_CLOSED' }, restarts: { 2: [aheadLeft] } }),
  },
  {
    it: 'a pull request that is pushed to leaves the queue, and those behind it go on',
    queue: { concurrency: 2 },
    pullRequests: pullRequests(2),
    happening: { when: 'testing', do: 'push', number: 1 },
    expected: landing([[2]], {
      ends: { 1: 'CANCELLED PR_PUSHED_TO' },
      restarts: { 2: [aheadLeft] },
    }),
  },
  {
    it: 'a pull request that somebody merges by hand is MERGED, and those behind it go on',
    queue: { concurrency: 2 },
    pullRequests: pullRequests(2),
    happening: { when: 'testing', do: 'manualMerge', number: 1 },
    expected: landing([[2]], { ends: { 1: 'MERGED MANUAL_MERGE' }, merged: [1, 2] }),
  },
  {
    it: 'a cancel comes too late for what is on the branch already',
    queue: batchOf(2),
    pullRequests: pullRequests(2),
    happening: { when: 'landed', do: 'cancel', number: 2 },
    expected: landing([[1, 2]]),
  },
  {
    it: 'a conflict with the tip is found by the build, and fails the pull request alone',
    queue: { concurrency: 1 },
    pullRequests: [{ number: 1 }, { number: 2, conflictsWith: [1] }, { number: 3 }],
    expected: landing([[1], [3]], {
      ends: { 2: 'FAILED START_TEST_RUN_MERGE_CONFLICT' },
      restarts: { 2: [aheadFailed] },
    }),
  },
  {
    it: 'a conflict with a predecessor is found by the build: it waits until that one has merged',
    queue: { concurrency: 3 },
    pullRequests: [{ number: 1 }, { number: 2, conflictsWith: [1] }, { number: 3 }],
    expected: landing([[1], [3]], {
      ends: { 2: 'FAILED START_TEST_RUN_MERGE_CONFLICT' },
      restarts: { 2: [aheadFailed], 3: [aheadFailed] },
    }),
  },
  {
    it: 'a push that the repository does not allow pauses the queue, and fails nobody',
    queue: batchOf(2),
    pullRequests: pullRequests(2),
    happening: { when: 'landing', do: 'deny' },
    simulated: { cannot: 'it has no rules about who may push, and can pause no queue' },
    expected: landing([[1, 2]]),
  },
]

/**
 * Plays the cases on a host; those that are not chosen belong to the matrix.
 * Each host has a test file of its own: they run side by side.
 */
export function contractOf(
  { name, cannot, play }: ContractHost,
  isChosen: (contractCase: ContractCase) => boolean,
): void {
  for (const contractCase of contractCases) {
    const tags = isChosen(contractCase) ? [] : ['matrix']
    test(`on ${name}: ${contractCase.it}`, { tags }, async ({ skip }) => {
      const reason = cannot(contractCase)
      if (reason !== null) skip(reason)
      expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
    })
  }
}
