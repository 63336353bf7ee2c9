import type { EventOf, EventType, Millis } from '../../../engine/index.ts'
import type { Moment } from '../../moment.ts'

/** Where in the run something was seen. */
export type Seen = {
  readonly at: Millis
  /** The first event of a run has number 1. */
  readonly sequence: number
  readonly moment: Moment
}

/** What can be listened to: the events by their types, and one kind of move by itself. */
export type Heard = { readonly [Type in EventType]: EventOf<Type> } & {
  /** A move into a terminal state. Nearly half of all events are moves, and few of them are. */
  readonly pullRequestEnded: EventOf<'pullRequestMoved'>
}

export type Topic = keyof Heard

export type Hear<Event> = (event: Event, seen: Seen) => void

/** What is done at which events. */
export type Listening = { readonly [About in Topic]?: Hear<Heard[About]> }

/** Something kept up to date by the events alone, so that a slip in the engine's own books shows. */
export type Book = {
  readonly on: Listening
}
