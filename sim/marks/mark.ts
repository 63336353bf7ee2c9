/**
 * What a mark is: a situation that a campaign of the swarm must have met, or it has proven nothing
 * about it. The opposite of a property: that must always hold, this must sometimes happen.
 */

import type { Event, EventOf, EventType } from '../../engine/index.ts'
import type { Moment } from '../moment.ts'

export type Mark = {
  /** Short and stable: campaigns count by it. */
  readonly name: string
  /** What has happened then, in one sentence. */
  readonly sentence: string
  /** Begins to watch a run. What it answers says of each moment whether it happened. */
  readonly watch: () => (moment: Moment) => boolean
}

/** A situation that one event shows by itself, seen together with the queue after its command. */
export function shownBy<Type extends EventType>(
  type: Type,
  holds: (event: EventOf<Type>, moment: Moment) => boolean = () => true,
): Mark['watch'] {
  return () => (moment) => moment.events.some((event) => isOf(event, type) && holds(event, moment))
}

/** A situation in which the queue is after a command. */
export function seenIn(holds: (queue: Moment['queue'], moment: Moment) => boolean): Mark['watch'] {
  return () => (moment) => holds(moment.queue, moment)
}

function isOf<Type extends EventType>(event: Event, type: Type): event is EventOf<Type> {
  return event.type === type
}
