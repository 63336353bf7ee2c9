/**
 * The only code that changes state: one function per event type, by name.
 *
 * It makes no decisions. The effect of an event on the state is written only here, so that a replay
 * of the commands gives the same bytes.
 */

import type { Queue } from '../model/state.ts'
import type { Event, EventOf, EventType } from '../protocol/events.ts'
import { evolveBisection } from './bisection.ts'
import type { Evolution } from './evolution.ts'
import { evolveLine } from './line.ts'
import { evolvePullRequest } from './pull-request.ts'
import { evolveQueue } from './queue.ts'
import { evolveTestRun } from './test-run.ts'

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
