/** The interface of properties: rules that must hold in every run. */

import type { EngineParts, Queue, TestRunId } from '../../engine/index.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Handlers, Point } from '../steps/step.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Truth } from '../world/truth.ts'

/**
 * A rule that must hold in every run. For example:
 *
 * ```ts
 * const endsWithinADay: Property = {
 *   name: 'ends-within-a-day',
 *   sentence: 'Every pull request leaves the queue within 24 hours.',
 *   watch({ check }) {
 *     const submittedAt = new Map<number, number>()
 *     return {
 *       on: {
 *         pullRequestSubmitted({ number }, { at }) {
 *           submittedAt.set(number, at)
 *         },
 *         pullRequestEnded({ number, to }, point) {
 *           const hours = (point.at - (submittedAt.get(number) ?? 0)) / 3_600_000
 *           check(hours <= 24, point, () => ({
 *             story: `Pull request ${number} became ${to} after ${hours} hours.`,
 *             pullRequests: [number],
 *           }))
 *         },
 *       },
 *     }
 *   },
 * }
 * ```
 */
export type Property = {
  /** Short and stable, in kebab case: scenarios (`mustFail`), results and reports name it. */
  readonly name: string
  /** What must hold, in one sentence. */
  readonly sentence: string
  /**
   * Called once for each run, before its first command. Returns the handlers that are called during
   * the run. Keep the state of the run in local variables of this function.
   *
   * Handlers are called in simulated time, must change nothing that they receive, and must not
   * throw. At an event they see `run.ledger` as it was before that event. They are called for several
   * steps together, when the queue has gone on: what it showed is in the ledger. Null if the property
   * cannot judge this run.
   */
  watch(run: ObservedRun): Handlers | null
}

/** The run that a property watches, as the property sees it. */
export type ObservedRun = RunFacts & {
  /**
   * The queue by the events so far, and the truth about its branch. All properties of a run share one
   * ledger; using it is optional.
   */
  readonly ledger: Ledger
  /** Counts a check, and reports a violation if it does not hold. */
  readonly check: Check
  /** Counts a check that is not made, because an exception of the property applies. */
  readonly leaveOut: () => void
}

/** What is known about a run before it begins. */
export type RunFacts = {
  /** Which pull requests break the branch, and which conflict. A recording knows only conflicts. */
  readonly truth: Truth
  /** Whether it is known which pull requests break. In the recording of a server it is not. */
  readonly knowsTruth: boolean
  /** Whether a run that fails at this event fails only because of a flake. */
  readonly isFlake: (testRun: TestRunId) => boolean
  /** Returns a new copy of the queue before the first command. */
  readonly beginning: () => Queue
  /**
   * The scenario and the parts of the engine, for properties that run the scenario again in another
   * way. Absent if there is no scenario, as in a recording.
   */
  readonly inputs?: { readonly scenario: Scenario; readonly parts: EngineParts }
}

/**
 * Counts one check. `describe` is called only if it does not hold. A run keeps the first 20
 * violations of each property.
 */
export type Check = (holds: boolean, point: CheckedAt, describe: () => Finding) => void

/** The point of the check, or just its time (milliseconds) and number of events. */
type CheckedAt = Pick<Point, 'at' | 'sequence'>

/** The description of a violation. */
type Finding = {
  /** A sentence that says what happened, with the numbers of pull requests. */
  readonly story: string
  /** The pull requests that it concerns, for links in reports; may be empty. */
  readonly pullRequests: readonly number[]
}

/** A violation as it is in results and reports. */
export type Violation = Finding & {
  readonly property: string
  /** Simulated minutes from the beginning of the run. */
  readonly atMinutes: number
  /** The number of the event that proves the violation; the first event of a run has number 1. */
  readonly sequence: number
}
