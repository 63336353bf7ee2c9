/**
 * One command's worth of work: what a decision reads, and the only way it can change anything.
 */

import { evolve } from './evolve/index.ts'
import type { Millis, Queue, QueueView } from './model/state.ts'
import type { Event } from './protocol/events.ts'

export type Step = {
  readonly queue: QueueView
  /** The instant of the command. */
  readonly at: Millis
  /** Makes an event happen: the state has changed when it returns. */
  readonly emit: (event: Event) => void
}

export type Evolve = (queue: Queue, event: Event) => void

/** A step on `queue` that records what it emits in `events`. */
export function stepOn(queue: Queue, at: Millis, events: Event[], apply: Evolve = evolve): Step {
  const emit = (event: Event): void => {
    apply(queue, event)
    events.push(event)
  }
  return { queue, at, emit }
}
