/** What `mergeyard serve` and `mergeyard.json` say about a queue that this server works on itself. */

import type { RecordedSettings } from '../../engine/index.ts'
import type { QueueRef } from '../identity/queue-ref.ts'
import type { TargetsOptions } from '../targets/options.ts'

export type CommandTests = {
  readonly kind: 'command'
  /** Runs in a work tree with `/bin/sh`; its exit code is the verdict. */
  readonly run: string
  /** Runs before the tests, when one of the files `setupWhen` has changed. */
  readonly setup: string | null
  readonly setupWhen: readonly string[]
  /** Where the command writes JUnit reports. */
  readonly junit: readonly string[]
  /** Ignored files and folders that stay between runs. */
  readonly keep: readonly string[]
  /** Names of variables that the command gets from the environment of the server. */
  readonly environment: readonly string[]
  /** False: the command gets no PID namespace although bubblewrap works. Default: true. */
  readonly bubblewrap?: boolean
}

/** Somebody else tests: they fetch the test branches, and report over the API. */
type ExternalTests = { readonly kind: 'external' }

export type HostOptions = {
  readonly ref: QueueRef
  /** A path, or an address that git understands. */
  readonly url: string
  readonly tests: CommandTests | ExternalTests
  /** Where the impacted targets come from; absent: from the API. */
  readonly targets?: TargetsOptions
  /** The settings that the queue gets at the start, if it has others. */
  readonly set: RecordedSettings
  /** How often the repository is looked at, in milliseconds. */
  readonly pollMs: number
}
