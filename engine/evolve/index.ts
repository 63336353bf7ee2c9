/**
 * The only code that changes state: one function per event type, by name.
 *
 * It decides nothing. What an event means for the state is written here once, so that replaying
 * commands gives the same bytes.
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

/** Makes `event` true in `queue`. Throws when the event contradicts the state: an engine bug. */
export function evolve(queue: Queue, event: Event): void {
  applyTo(queue, event.type, event)
}

function applyTo<Type extends EventType>(queue: Queue, type: Type, event: EventOf<Type>): void {
  evolution[type](queue, event)
}
