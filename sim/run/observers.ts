/** The observers of one run: its trace, the functions that read its steps, and its properties. */

import type { RunContext, SimulateOptions, StepReader } from '../observe/run-context.ts'
import { linesOf, TraceHash } from '../observe/trace.ts'
import { watchProperties, type WatchedRun } from '../observe/watch-properties.ts'
import type { Step } from '../steps/step.ts'

export class Observers {
  readonly properties: WatchedRun
  readonly #observers: readonly StepReader[]
  readonly #onTrace: SimulateOptions['onTrace']
  readonly #isHashed: boolean
  readonly #trace = new TraceHash()

  constructor(
    context: RunContext,
    { properties = [], observers = [], onTrace, onViolation, isUnhashed }: SimulateOptions,
  ) {
    this.#isHashed = isUnhashed !== true
    this.properties = watchProperties(properties, context, onViolation)
    this.#observers = observers.map((observer) => observer(context))
    this.#onTrace = onTrace
  }

  /** Passes the next step of the run to all observers. */
  onStep(step: Step): void {
    const { command, events } = step
    if (this.#isHashed) this.#trace.add(command, events)
    this.#onTrace?.(linesOf(command, events))
    for (const read of this.#observers) read(step)
    this.properties.onStep(step)
  }

  /** SHA-256 of the trace. Call it once, at the end. */
  traceHash(): string {
    return this.#trace.digest()
  }
}
