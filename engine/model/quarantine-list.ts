/** The list of tests in quarantine, as a queue keeps it. Rules: E-270, E-272. */

import type { Millis } from './ids.ts'

/** Why a test is in quarantine, and until when. */
export type QuarantineEntry = {
  /** Who put it there; absent if nobody said. */
  readonly who?: string
  readonly why?: string
  /** When it was put there first. */
  readonly since: Millis
  /** From this instant on it has no effect; absent for one without an end. */
  readonly until?: Millis
}

export type Quarantine = {
  /** The entries by test. One that has ended stays until somebody removes or renews it. */
  tests: Record<string, QuarantineEntry>
  /** How many pull requests merged by a run in which one of these tests failed, by test. */
  mergesBy: Record<string, number>
  /** How many pull requests merged by a run in which only tests in quarantine failed. */
  merges: number
}
