/** The contract of hosts: its cases, each a small story and what every host must make of it. */

import { expect, test } from 'vitest'
import { pullRequests } from '../../../../sim/testing/simulated.ts'
import type { Faults, PullRequestEntry, Scenario } from '../../../../sim/scenario/scenario.ts'
import type { Event } from '../../../../engine/index.ts'

/** When people do something. */
type Moment =
  /** Every run in progress has its verdict, and the queue has received none. */
  | 'testing'
  /** The queue asks the host to land, and the host has not begun. */
  | 'landing'
  /** It is on the branch, and the queue does not know it. */
  | 'landed'

export type Action =
  | { readonly do: 'pushToBranch' }
  | { readonly do: 'push' | 'close' | 'cancel' | 'manualMerge'; readonly number: number }
  /** The server, or the engine, ends without a warning and starts again. */
  | { readonly do: 'startAgain' }
  /** The repository rejects the push until people have seen the words and resume the queue. */
  | { readonly do: 'deny' }

export type Happening = Action & { readonly when: Moment }

/** How a story ended, read from the commands and events of a queue, and from the branch. */
type Ended = {
  /** The last move of each pull request, with its reason: `FAILED PR_UPDATED_AT_MERGE_TIME`. */
  readonly ends: Readonly<Record<number, string>>
  /** In the order in which they came on the branch. */
  readonly merged: readonly number[]
  /** Why each pull request had to begin again, in order. */
  readonly restarts: Readonly<Record<number, readonly string[]>>
  /** What the host was asked to land. */
  readonly asked: readonly (readonly number[])[]
  /** What came on the branch, landing by landing. */
  readonly landings: readonly (readonly number[])[]
}

/** What the simulated host needs to play the story. */
type Simulated =
  | {
      readonly faults?: Faults
      /** Chosen so that the drawn faults happen as the story says. */
      readonly seed?: number
    }
  /** Why it cannot. */
  | { readonly cannot: string }

export type ContractCase = {
  readonly it: string
  readonly queue: NonNullable<Scenario['queue']>
  readonly pullRequests: readonly PullRequestEntry[]
  readonly happening?: Happening
  readonly simulated?: Simulated
  readonly expected: Ended
}

export type ContractHost = {
  readonly name: string
  /** Why this host cannot play the case; null if it can. */
  readonly cannot: (contractCase: ContractCase) => string | null
  /** Plays the case, and returns how it ended, with every law that was broken on the way. */
  readonly play: (contractCase: ContractCase) => Promise<Ended & { readonly broken: string[] }>
}

// How a story ended, from the commands and events of its queue.

/** One accepted command and its events. */
export type ContractStep = {
  readonly command: { readonly type: string }
  readonly events: readonly Event[]
}

const byTheQueue = 'MERGE_GRAPH_MERGE'

/** Everything but the landings, which are read from what the host has done. */
export function endedOf(steps: readonly ContractStep[]): Omit<Ended, 'landings'> {
  const ends: Record<number, string> = {}
  const restarts: Record<number, string[]> = {}
  const merged: number[] = []
  const asked: (readonly number[])[] = []
  for (const event of steps.flatMap(({ events }) => events)) {
    if (event.type === 'tipMoved' && event.number !== null) merged.push(event.number)
    if (event.type === 'mergeRequested') asked.push(event.numbers ?? [event.number])
    if (event.type !== 'pullRequestMoved') continue
    const { number, from, to, reason } = event
    ends[number] = reason === null || reason === byTheQueue ? to : `${to} ${reason}`
    if (from !== 'NOT_READY' && to === 'PENDING' && reason !== null)
      (restarts[number] ??= []).push(reason)
  }
  return { ends, merged, restarts, asked }
}

/** An answer comes later: the queue never receives it within the command that asked. */
export function answersFromWithin(steps: readonly ContractStep[]): string[] {
  return steps.flatMap(({ command, events }) => {
    const at = events.findIndex(({ type }) => type === 'mergeRequested')
    const isAnswered = at >= 0 && events.slice(at).some(({ type }) => type === 'tipMoved')
    return isAnswered ? [`${command.type} asks the host to merge, and has its answer`] : []
  })
}

// The contract that every code host keeps, a simulated one and a real one: one table, played on each of them.

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
    merged,
    restarts: {},
    asked: landings,
    landings,
    ...others,
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
    pullRequests: pullRequests({ targets: ['web'] }, { targets: ['api'], conflictsWith: [1] }),
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
