import type { Queue } from '../model/state.ts'
import type { EventOf, EventType } from '../protocol/events.ts'

/** How each event of some types changes the state. */
export type Evolution<Types extends EventType> = {
  readonly [Type in Types]: (queue: Queue, event: EventOf<Type>) => void
}
