import type { EventOf, EventType, Millis } from '../../../engine/index.ts'
import type { Moment } from '../../moment.ts'

/** Where in the run something was seen. */
export type Seen = {
  readonly at: Millis
  /** The first event of a run has number 1. */
  readonly sequence: number
  readonly moment: Moment
}

/** What is done at which events. */
export type Listening = {
  readonly [Type in EventType]?: (event: EventOf<Type>, seen: Seen) => void
}

/** Something kept up to date by the events alone, so that a slip in the engine's own books shows. */
export type Book = {
  readonly on: Listening
}
