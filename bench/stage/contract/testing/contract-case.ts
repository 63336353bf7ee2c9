/** What a case of the contract says: a small story, and what every host must make of it. */

import type { Faults, PullRequestEntry, Scenario } from '../../../../sim/scenario/scenario.ts'

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

/** A host that plays stories. */
export type ContractHost = {
  readonly name: string
  /** Why this host cannot play the case; null if it can. */
  readonly cannot: (contractCase: ContractCase) => string | null
  /** Plays the case, and returns how it ended, with every law that was broken on the way. */
  readonly play: (contractCase: ContractCase) => Promise<Ended & { readonly broken: string[] }>
}
