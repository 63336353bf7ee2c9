/** The context that observers of a run receive, the options of a run, and its outcome. */

import type { Millis, EngineParts, Rejection, Command, TestRun } from '../../engine/index.ts'
import type { JudgedShare, PropertyResult } from './findings.ts'
import type { Step } from '../steps/step.ts'
import type { Property, RunFacts, Violation } from './property.ts'
import type { PullRequestEntry, Scenario } from '../scenario/scenario.ts'
import type { TruthBranch, KnownTruth } from '../world/truth.ts'
import type { PlannedRun } from '../world/world.ts'

export type RunContext = RunFacts & {
  readonly scenario: Scenario
  readonly seed: number
  readonly truth: KnownTruth
  /** A recording: each submission counts with its own outcome, as in the scenario made from it. */
  readonly countsEachSubmission?: true
  /** The true target branch after the step that is being read. */
  readonly main: TruthBranch
}

export type StepReader = (step: Step) => void

export type SimulateOptions = {
  /** The properties that watch the whole run. */
  readonly properties?: readonly Property[]
  /** Each is called once before the run, and returns a function that is called with every step. */
  readonly observers?: readonly ((context: RunContext) => StepReader)[]
  /** The parts of the engine; the shipped ones by default. Tests inject defects here. */
  readonly parts?: EngineParts
  /**
   * A fault of a server, not of the engine: it tells the ports of a command that is not on disk yet.
   * Tests inject it.
   */
  readonly arePortsCalledEarly?: boolean
  readonly onRejection?: (command: Command, rejection: Rejection) => void
  /** Leaves out the hash of the trace, which costs a quarter of the time of a run. */
  readonly isUnhashed?: boolean
  /** Called with the lines of the trace of each accepted command. */
  readonly onTrace?: (lines: string) => void
  /** Called when a pull request is submitted for the first time, with its text conflicts. */
  readonly onSubmission?: (entry: PullRequestEntry) => void
  /** Called at each violation that is kept: at most 20 for each property. */
  readonly onViolation?: (violation: Violation) => void
  /** Called when a test run starts, with the way it is going to end. */
  readonly onRunPlanned?: (run: TestRun, planned: PlannedRun) => void
}

/** The run stalled: it is at rest with pull requests in the queue, or it never comes to rest. */
export type Stall = {
  readonly kind: 'at rest' | 'no progress'
  readonly at: Millis
  readonly sequence: number
  /** The pull requests that are still in the queue. */
  readonly pullRequests: readonly number[]
}

export type RunOutcome = {
  readonly seed: number
  /**
   * SHA-256 of the trace: every accepted command and every event. An unhashed run has the hash of
   * the empty text.
   */
  readonly traceHash: string
  /** The instant of the last accepted command, but for wake-ups while the queue is idle. */
  readonly endedAt: Millis
  readonly faultPhaseEndedAt: Millis
  readonly commands: number
  readonly events: number
  readonly properties: readonly PropertyResult[]
  /** How much of the run each of them has judged. */
  readonly judged: readonly JudgedShare[]
  readonly breach: Stall | null
}
