/**
 * The only code that changes state: one function per event type, by name.
 *
 * It makes no decisions. The effect of an event on the state is written only here, so that a replay
 * of the commands gives the same bytes.
 */

import type { Queue, Millis, QueueView } from '../model/state.ts'
import type { Event, EventOf, EventType } from '../protocol/events.ts'
import { evolveBisection } from './bisection.ts'
import type { Evolution } from './evolution.ts'
import { evolveLine } from './line.ts'
import { evolvePullRequest } from './pull-request.ts'
import { evolveQueue } from './queue.ts'
import { evolveTestRun } from './test-run.ts'
import type { Rejection } from '../protocol/commands.ts'

const evolution: Evolution<EventType> = {
  ...evolvePullRequest,
  ...evolveLine,
  ...evolveTestRun,
  ...evolveBisection,
  ...evolveQueue,
}

/**
 * Applies `event` to `queue`. Throws if the event contradicts the state, which is an engine bug.
 */
export function evolve(queue: Queue, event: Event): void {
  applyTo(queue, event.type, event)
}

function applyTo<Type extends EventType>(queue: Queue, type: Type, event: EventOf<Type>): void {
  evolution[type](queue, event)
}

// The work of one command: the state that decisions read, and the only way to change it.

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

/**
 * The direct effect of one kind of command; the rules do the rest. Returns null if the command was
 * accepted, else the rejection, and then nothing has changed.
 */
export type Decide<Body> = (step: Step, command: Body) => Rejection | null

/**
 * One thing that the queue does as soon as it can. A rule reads only the current state, so a lost
 * or duplicate message cannot block the queue. It returns true if it made a change that a rule
 * before it may depend on; then all rules are tried again.
 */
export type Rule = (step: Step) => boolean
