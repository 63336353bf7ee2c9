/** Everybody who watches a run, and the trace of it. */

import type { QueueView } from '../engine/index.ts'
import { Watch, type PropertyResult } from './findings.ts'
import type { Moment } from './moment.ts'
import type { MomentReader, RunContext, SimulateOptions } from './run-context.ts'
import { linesOf, TraceHash } from './trace.ts'

export class Audience {
  readonly #watches: readonly Watch[]
  /** What to tell of each moment: most properties share their books, and are told together. */
  readonly #hearers: readonly ((moment: Moment) => void)[]
  readonly #readers: readonly MomentReader[]
  readonly #onTrace: SimulateOptions['onTrace']
  readonly #isHashed: boolean
  readonly #trace = new TraceHash()

  constructor(
    context: RunContext,
    { properties = [], readers = [], onTrace, onViolation, isUnhashed }: SimulateOptions,
  ) {
    this.#isHashed = isUnhashed !== true
    this.#watches = properties.map((property) => new Watch(property, context, onViolation))
    this.#hearers = [...new Set(this.#watches.map(({ onMoment }) => onMoment))]
    this.#readers = readers.map((reader) => reader(context))
    this.#onTrace = onTrace
  }

  hear(moment: Moment): void {
    const { command, events } = moment
    if (this.#isHashed) this.#trace.add(command, events)
    this.#onTrace?.(linesOf(command, events))
    for (const read of this.#readers) read(moment)
    for (const hear of this.#hearers) hear(moment)
  }

  /** Everything is at rest, and nothing more will happen. */
  atEnd(queue: QueueView): void {
    for (const watch of this.#watches) watch.atEnd(queue)
  }

  get properties(): PropertyResult[] {
    return this.#watches.map(({ result }) => result)
  }

  /** SHA-256 of the trace; to be asked once, at the end. */
  traceHash(): string {
    return this.#trace.digest()
  }
}
