/** What a property is: something that must hold at every moment of every run. */

import type { Configuration, Parts, QueueView } from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Truth } from '../world/truth.ts'

/** What a run is about, as far as properties may know. */
export type Setting = {
  readonly truth: Truth
  /** The tests say the truth: no flakes, no lost or hung runs, no timeouts, no outages. */
  readonly hasHonestTests: boolean
  readonly configuration: Configuration
  /** What the run is made of, for those who make it another way; absent where it is told by hand. */
  readonly makings?: { readonly scenario: Scenario; readonly parts: Parts }
}

export type Violation = {
  readonly property: string
  readonly atMinutes: number
  /** Sequence number of the event that proves it. */
  readonly sequence: number
  /** A sentence in the field's words, with pull request numbers. */
  readonly story: string
  readonly pullRequests: readonly number[]
}

/** What a watcher reports through: everything it looked at, and everything it found wrong. */
export type Findings = {
  /** Counts one check that held or was found wrong. */
  check(): void
  violate(found: {
    readonly at: number
    readonly sequence: number
    readonly story: string
    readonly pullRequests: readonly number[]
  }): void
}

/** Watches one run. A new one is made for each. */
export type Watcher = {
  /** Watchers that go through the events together have the same one; it needs no second call. */
  readonly onMoment: (moment: Moment) => void
  /** After the last command, with everything at rest and every fault over. */
  atEnd?(queue: QueueView): void
}

export type Property = {
  /** Short and stable: scenarios and reports name it. */
  readonly name: string
  /** What must hold, in one sentence. */
  readonly sentence: string
  watch(setting: Setting, findings: Findings): Watcher
}
