/**
 * The work of one command: the state that decisions read, and the only way to change it.
 */

import { evolve } from './index.ts'
import type { Millis, Queue, QueueView } from '../model/state.ts'
import type { Event } from '../protocol/events.ts'

export type Step = {
  readonly queue: QueueView
  /** The instant of the command. */
  readonly at: Millis
  /** Emits an event and applies it to the state before it returns. */
  readonly emit: (event: Event) => void
}

export type Evolve = (queue: Queue, event: Event) => void

/** Makes a step on `queue` that appends its events to `events`. */
export function stepOn(queue: Queue, at: Millis, events: Event[], apply: Evolve = evolve): Step {
  const emit = (event: Event): void => {
    apply(queue, event)
    events.push(event)
  }
  return { queue, at, emit }
}
