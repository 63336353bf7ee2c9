/**
 * The interface between a merge queue's policy and the simulated world. A policy receives
 * submissions and results of runs, and decides what is tested, merged and evicted. Policies model
 * known queues, so that they can be compared on the same pull requests, run lengths and flakes.
 */

import type { Millis } from '../../engine/index.ts'

/** One test run of the current branch, then `base`, then `tested`, in this order. */
export type PolicyRun = {
  readonly id: number
  readonly base: readonly number[]
  readonly tested: readonly number[]
}

/** What a policy can read and do. All actions take effect at once, at the current instant. */
export type Host = {
  readonly now: () => Millis
  /** How many more runs may start now. */
  readonly freeSlots: () => number
  /** Starts a run. Throws if no slot is free. */
  start(run: Omit<PolicyRun, 'id'>): PolicyRun
  /** Cancels a run. Its minutes so far count as cost. */
  cancel(run: PolicyRun): void
  /** Merges these pull requests, in order. */
  merge(numbers: readonly number[]): void
  evict(number: number, cause: 'tests' | 'conflict'): void
  /** True if the pull request has no text conflict with the branch and `ahead`. */
  mergesOn(number: number, ahead: readonly number[]): boolean
  /** True if its author asked for no batch with other pull requests. */
  isAlone(number: number): boolean
  /** Makes the simulation call `advance` at this instant. */
  wakeAt(at: Millis): void
  /** The truth about a composition. Only an oracle may use it. */
  readonly wouldBreak: (composition: readonly number[]) => boolean
}

export type Policy = {
  submitted(number: number): void
  finished(run: PolicyRun, hasPassed: boolean): void
  /** Takes all decisions that are possible now. Called after every event. */
  advance(): void
}

/** The settings that a policy takes from the scenario's queue. */
export type PolicySettings = {
  readonly concurrency: number
  /** The size of a batch; null if the scenario does not batch. */
  readonly batchSize: number | null
}

export type MakePolicy = (host: Host, settings: PolicySettings) => Policy
