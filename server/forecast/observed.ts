/** What a queue has shown of itself lately, as plain JSON: a forecast learns its rates from it. */

import type { ImpactedTargets, Millis } from '../../engine/index.ts'

export type Observed = {
  /** The last verdicts, oldest first. */
  readonly verdicts: readonly ObservedVerdict[]
  /** How long the last runs lasted, oldest first. */
  readonly lengths: readonly ObservedLength[]
  /** The last submissions, oldest first. */
  readonly arrivals: readonly ObservedArrival[]
  /** The submissions in `verdicts` that have merged. */
  readonly merged: readonly number[]
}

export type ObservedVerdict = {
  /** The submissions that the run contained. */
  readonly contents: readonly number[]
  readonly outcome: 'passed' | 'failed'
  /** The keys of the tests that failed; empty if nobody named them. */
  readonly failedTests: readonly string[]
}

export type ObservedLength = {
  readonly ms: Millis
  /** False: it was cancelled or timed out after this time, so it would have lasted longer. */
  readonly isWhole: boolean
}

export type ObservedArrival = {
  readonly at: Millis
  /** Null: the default. */
  readonly priority: number | null
  readonly noBatch: boolean
  /** Null: nobody has uploaded any. */
  readonly targets: ImpactedTargets | null
}

/** So many of each are kept. More would describe how the queue was, not how it is. */
export const mostVerdicts = 300
export const mostLengths = 300
export const mostArrivals = 100

/** With fewer whole runs nobody can know how long the next one takes. */
export const fewestRuns = 20

export function hasSeenEnough({ lengths }: Observed): boolean {
  return lengths.filter(({ isWhole }) => isWhole).length >= fewestRuns
}
