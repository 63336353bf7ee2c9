/** What a case of the contract says: a small story, and what every host must make of it. */

import type { Faults, PullRequestEntry, Scenario } from '../../../../sim/scenario/scenario.ts'
import type { Event } from '../../../../engine/index.ts'

/** When people do something. */
type Moment =
  /** Every run in progress has its verdict, and the queue has not heard any. */
  | 'testing'
  /** The queue asks the host to land, and the host has not begun. */
  | 'landing'
  /** It is on the branch, and the queue has not heard it. */
  | 'landed'

export type Deed =
  | { readonly do: 'pushToBranch' }
  | { readonly do: 'push' | 'close' | 'cancel' | 'manualMerge'; readonly number: number }
  /** The server, or the engine, ends without a warning and starts again. */
  | { readonly do: 'startAgain' }
  /** The repository rejects the push until people have seen the words and resume the queue. */
  | { readonly do: 'deny' }

export type Happening = Deed & { readonly when: Moment }

/** How a story ended, read from the commands and events of a queue, and from the branch. */
export type Ended = {
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

/** An answer comes later: the queue never hears it within the command that asked. */
export function answersFromWithin(steps: readonly ContractStep[]): string[] {
  return steps.flatMap(({ command, events }) => {
    const at = events.findIndex(({ type }) => type === 'mergeRequested')
    const isAnswered = at >= 0 && events.slice(at).some(({ type }) => type === 'tipMoved')
    return isAnswered ? [`${command.type} asks the host to merge, and has its answer`] : []
  })
}
