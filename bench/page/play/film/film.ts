/** A run as a film: what the moving picture needs, small enough to be sent between threads. */

import type { Millis, PullRequestNumber, TerminalState } from '../../../../engine/index.ts'
import type { Phase } from '../../../../sim/report/recording/story.ts'
import type { RunStyle } from '../../../../sim/report/recording/runs.ts'

export type Film = {
  readonly endedAt: Millis
  /** In the order of their first submission. */
  readonly pullRequests: readonly FilmedPullRequest[]
  /** By start. */
  readonly runs: readonly FilmedRun[]
  /** How many were in the queue, after each change. */
  readonly depth: readonly DepthPoint[]
  /** The slots that were ever used. */
  readonly slots: Readonly<Record<SlotKind, number>>
  /** Pull requests beyond those that a film holds. */
  readonly leftOut: number
}

export type SlotKind = 'main' | 'bisection'

type FilmedPullRequest = {
  readonly number: PullRequestNumber
  readonly dependsOn: readonly PullRequestNumber[]
  /** The phase from each instant on; null: not in the queue. */
  readonly phases: readonly { readonly at: Millis; readonly phase: Phase | null }[]
  /** How it ended, each time. */
  readonly ends: readonly { readonly at: Millis; readonly end: TerminalState }[]
}

export type FilmedRun = {
  readonly id: number
  readonly kind: SlotKind
  /** From 0. */
  readonly slot: number
  readonly tested: readonly PullRequestNumber[]
  /** How many unmerged pull requests it stands on. */
  readonly below: number
  readonly from: Millis
  readonly to: Millis
  readonly ending: RunStyle
}

export type DepthPoint = { readonly at: Millis; readonly count: number }
