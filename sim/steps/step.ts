/** One accepted command and its events, as every observer of a run receives them. */

import type {
  Command,
  Event,
  PullRequestState,
  QueueView,
  EventOf,
  EventType,
  Millis,
} from '../../engine/index.ts'

/**
 * When the engine crashes: after the ports have received the effects of the command (`published`),
 * or before that (`unpublished`).
 */
export type CrashKind = 'published' | 'unpublished'

export type Step = {
  /** How many events the engine had published before this command. */
  readonly sequence: number
  readonly command: Command
  readonly events: readonly Event[]
  /** In a recording: the name of the token that sent the command. */
  readonly by?: string
  /**
   * The queue after the command, when no rule acts any more. The engine changes this object later:
   * copy values that are needed after the step.
   */
  readonly queue: QueueView
  /** Set if the engine crashes after this command; it is rebuilt before the next one. */
  readonly crash?: CrashKind
}

/** A step as properties see it. They look at several steps together, when the queue has gone on. */
export type SeenStep = Omit<Step, 'queue'>

// The states of a pull request, as E-15 and E-16 give them.

export function isTerminal(state: PullRequestState): boolean {
  return state === 'MERGED' || state === 'FAILED' || state === 'CANCELLED'
}

// The handlers that can be called during a run, and when they are called.

/** A point of the run: where a handler is called, and where a check was made. */
export type Point = {
  /** Simulated time in milliseconds from the beginning of the run. */
  readonly at: Millis
  /**
   * How many events the run has published up to here, this one included: the first has number 1.
   */
  readonly sequence: number
  /** The current command and all its events. */
  readonly step: SeenStep
}

/**
 * The event of each topic: one topic for each type of event, and one for a special kind of move.
 */
export type Topics = { readonly [Type in EventType]: EventOf<Type> } & {
  /**
   * A move into a terminal state. Nearly half of all events are moves, but few of them are such
   * moves.
   */
  readonly pullRequestEnded: EventOf<'pullRequestMoved'>
}

export type Topic = keyof Topics

export type EventHandler<Of> = (event: Of, point: Point) => void

/** Handlers of events by topic. Most properties need few of them. */
export type EventHandlers = { readonly [Each in Topic]?: EventHandler<Topics[Each]> }

/** All handlers are optional. They are called in the order of these fields. */
export type Handlers = {
  /**
   * Whether the property could be violated at the moment. A property that always could be has no
   * such function. It is asked after each command, and decides nothing: a campaign reports the share
   * of events in which each property was active (S-171).
   */
  readonly isActive?: () => boolean
  /** Before the first event of a command. */
  readonly atCommand?: (point: Point) => void
  /** At each event. `pullRequestEnded` is called in addition to `pullRequestMoved`, after it. */
  readonly on?: EventHandlers
  /** At each event, after the handlers of its topic. */
  readonly atEach?: EventHandler<Event>
  /** After the last event of a command. The queue is at rest then: no rule of the engine acts. */
  readonly atRest?: (point: Point) => void
  /**
   * When the engine refuses a command, after `sequence` events. It is no step of the run, and a
   * recording knows none.
   */
  readonly atRefusal?: (command: Command, sequence: number) => void
  /**
   * Once, after the last command, when all faults are over. `last` is the point of the last
   * command; null if no command was accepted. It is not called if the engine threw or never came to
   * rest, and not for a recording, because its queue may continue.
   */
  readonly atEnd?: (queue: QueueView, last: Point | null) => void
}
