/** What those who watch a run may know and ask. */

import type { Millis, Parts, Rejection, Command, TestRun, TestRunId } from '../engine/index.ts'
import type { PropertyResult } from './findings.ts'
import type { Moment } from './moment.ts'
import type { Property, Setting, Violation } from './properties/property.ts'
import type { PullRequestEntry, Scenario } from './scenario/scenario.ts'
import type { TruthBranch } from './world/branch.ts'
import type { KnownTruth } from './world/known-truth.ts'
import type { Fate } from './world/world.ts'

export type RunContext = Setting & {
  readonly scenario: Scenario
  readonly seed: number
  readonly truth: KnownTruth
  /** The target branch as it really is after the moment that is being read. */
  readonly main: TruthBranch
  /** Whether anybody knows who breaks. Of what a real server has recorded, nobody does. */
  readonly knowsTruth: boolean
  /** Whether a run that fails at this moment does so for no other reason than a flake. */
  readonly isFlake: (testRun: TestRunId) => boolean
}

export type MomentReader = (moment: Moment) => void

export type SimulateOptions = {
  /** Watched over the whole run. */
  readonly properties?: readonly Property[]
  /** Each is called once before the run, and what it answers hears every moment. */
  readonly readers?: readonly ((context: RunContext) => MomentReader)[]
  /** The engine's parts, for harnesses that inject defects. */
  readonly parts?: Parts
  readonly onRejection?: (command: Command, rejection: Rejection) => void
  /** Leaves out the hash of the trace, where nobody asks for it: it costs a quarter of a run. */
  readonly isUnhashed?: boolean
  /** The lines of the trace, as they come. */
  readonly onTrace?: (lines: string) => void
  /** A pull request is submitted for the first time, with the text conflicts it has by then. */
  readonly onSubmission?: (entry: PullRequestEntry) => void
  /** A property was found broken. */
  readonly onViolation?: (violation: Violation) => void
  /** How a test run that has just started is going to end. */
  readonly onFate?: (run: TestRun, fate: Fate) => void
}

/** A run in which nothing happens any more although pull requests are left, or that never rests. */
export type Breach = {
  readonly kind: 'at rest' | 'no progress'
  readonly at: Millis
  readonly sequence: number
  readonly commandsWithoutProgress: number
  /** Those still in the queue. */
  readonly pullRequests: readonly number[]
}

export type RunOutcome = {
  readonly seed: number
  /** SHA-256 of the trace: every accepted command and every event. Of an unhashed run, of nothing. */
  readonly traceHash: string
  /** The instant of the last accepted command. */
  readonly endedAt: Millis
  /** When the storm was over. */
  readonly stormEndedAt: Millis
  readonly commands: number
  readonly events: number
  readonly properties: readonly PropertyResult[]
  readonly breach: Breach | null
}
