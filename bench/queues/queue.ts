/** What is known of another product's queue: its model, its parameters, and its configuration. */

import type { MakePolicy } from '../strategies/policy.ts'
import type { Parameter, Values } from './parameters.ts'

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
