/**
 * What a merge queue's policy is to the world around it: it hears who comes and how runs end, and
 * says what is tested, merged and evicted. Policies are built to the behaviour of known queues, so
 * that they can be compared on the same pull requests, lengths and flakes.
 */

import type { Millis } from '../../engine/index.ts'

/** One run of the tests: the branch as it was, then `base`, then `tested`, in order. */
export type PolicyRun = {
  readonly id: number
  readonly base: readonly number[]
  readonly tested: readonly number[]
}

/** What a policy may know and do. Everything takes effect at once, at the present instant. */
export type Host = {
  readonly now: () => Millis
  /** How many more runs fit beside those under way. */
  readonly freeSlots: () => number
  /** Starts a run; only where a slot is free. */
  start(run: Omit<PolicyRun, 'id'>): PolicyRun
  /** Breaks off a run; its minutes so far are spent. */
  cancel(run: PolicyRun): void
  /** Lands these on the branch, in order. */
  merge(numbers: readonly number[]): void
  evict(number: number, why: 'tests' | 'conflict'): void
  /** Whether it merges as text on the branch with these on top. */
  mergesOn(number: number, ahead: readonly number[]): boolean
  /** Whether its author wants it tested by itself. */
  isAlone(number: number): boolean
  /** Calls `advance` again then. */
  wakeAt(at: Millis): void
  /** The truth about pull requests, for those who are allowed to know. */
  readonly wouldBreak: (composition: readonly number[]) => boolean
}

export type Policy = {
  submitted(number: number): void
  finished(run: PolicyRun, hasPassed: boolean): void
  /** Does whatever is to be done now; called after everything that happens. */
  advance(): void
}

/** What is taken from the scenario's queue. */
export type PolicySettings = {
  readonly concurrency: number
  /** The most pull requests in one batch, where the scenario says so. */
  readonly batchSize: number | null
}

export type MakePolicy = (host: Host, settings: PolicySettings) => Policy
