/**
 * What is known of another product's queue: its policy, its parameters, and its configuration.
 *
 * The interface between a merge queue's policy and the simulated world. A policy receives
 * submissions and results of runs, and decides what is tested, merged and evicted. Policies model
 * known queues, so that they can be compared on the same pull requests, run lengths and flakes.
 */

import type { Millis } from '../../engine/index.ts'
import type { Parameter, Values } from './parameters.ts'

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
  /** Returns those that leave with it because they depend on it; the policy forgets them too (S-362). */
  evict(number: number, cause: 'tests' | 'conflict'): readonly number[]
  /** All in the queue that it depends on, directly or through others. */
  below(number: number): readonly number[]
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
  /** Whether one can be submitted while what it depends on is in the queue, or only when that has merged. */
  readonly takesStacks: boolean
  submitted(number: number): void
  finished(run: PolicyRun, hasPassed: boolean): void
  /** Takes all decisions that are possible now. Called after every event. */
  advance(): void
}

export type MakePolicy = (host: Host) => Policy

export type OtherQueueName = 'github' | 'gitlab' | 'mergify' | 'bors' | 'zuul'

/** The repository and the branch that a configuration is for. */
export type ConfigurationPlace = {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  /** Null for the default branch. */
  readonly branch: string | null
}

export type QueueConfiguration = {
  /** The file or the request that takes the text. */
  readonly target: string
  readonly language: 'json' | 'yaml' | 'toml' | 'shell'
  readonly text: string
  /** How to apply it, and what to keep of an existing configuration. */
  readonly apply: readonly string[]
  /** The published text and version that its names and ranges were checked against. */
  readonly checked: string
}

export type OtherQueue = {
  readonly name: OtherQueueName
  readonly title: string
  /** The source of the model, and what it leaves out. */
  readonly after: string
  readonly leavesOut: string
  readonly parameters: readonly Parameter[]
  /**
   * Gives values without effect those of `fallback`, and brings contradicting ones in line. Settings
   * that act alike become equal.
   */
  readonly normal: (values: Values, fallback: Values) => Values
  /** The kinds of merges without a run of exactly that tree that it can make. */
  readonly kinds: (values: Values) => readonly ('mid-batch' | 'cleared-by-successor')[]
  /** How many runs it starts at once; null if only the runners limit that. */
  readonly slots: (values: Values) => number | null
  readonly policy: (values: Values) => MakePolicy
  readonly configuration: (values: Values, place: ConfigurationPlace) => QueueConfiguration
}
