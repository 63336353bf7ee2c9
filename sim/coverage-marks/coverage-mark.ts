/**
 * What a coverage mark is: a situation that a campaign of the swarm must meet, because otherwise
 * the campaign says nothing about it. A property must always hold; a mark must happen at least
 * once.
 */

import type { Event, EventOf, EventType } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'

export type CoverageMark = {
  /** Short and stable: campaigns count by it. */
  readonly name: string
  /** What happens in this situation, in one sentence. */
  readonly sentence: string
  /**
   * Begins to watch a run. The function that it returns says of each step whether the situation
   * occurred.
   */
  readonly watch: () => (step: Step) => boolean
}

/** A situation that a single event shows, together with the queue after its command. */
export function shownByEvent<Type extends EventType>(
  type: Type,
  holds: (event: EventOf<Type>, step: Step) => boolean = () => true,
): CoverageMark['watch'] {
  return () => (step) => step.events.some((event) => isOf(event, type) && holds(event, step))
}

/** A situation that the queue shows after a command. */
export function seenInState(
  holds: (queue: Step['queue'], step: Step) => boolean,
): CoverageMark['watch'] {
  return () => (step) => holds(step.queue, step)
}

function isOf<Type extends EventType>(event: Event, type: Type): event is EventOf<Type> {
  return event.type === type
}
