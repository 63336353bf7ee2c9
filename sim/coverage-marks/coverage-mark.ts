/**
 * What a coverage mark is: a situation that a campaign of the swarm must meet, because otherwise
 * the campaign says nothing about it. A property must always hold; a mark must happen at least
 * once.
 */

import type { Event, EventOf, EventType } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'

/** Begins to watch a run. The function that it returns says of each step whether the situation occurred. */
export type Watch = () => (step: Step) => boolean

/** By their names, which are short and stable, as campaigns count by them: what happens, in one sentence, and the watch. */
export type CoverageMarks = Readonly<Record<string, readonly [sentence: string, watch: Watch]>>

/** A situation that a single event shows, together with the queue after its command. */
export function shownByEvent<Type extends EventType>(
  type: Type,
  holds: (event: EventOf<Type>, step: Step) => boolean = () => true,
): Watch {
  return () => (step) => step.events.some((event) => isOf(event, type) && holds(event, step))
}

/** A situation that the queue shows after a command. */
export function seenInState(holds: (queue: Step['queue'], step: Step) => boolean): Watch {
  return () => (step) => holds(step.queue, step)
}

function isOf<Type extends EventType>(event: Event, type: Type): event is EventOf<Type> {
  return event.type === type
}
