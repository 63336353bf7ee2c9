import type { Queue } from '../model/state.ts'
import type { EventOf, EventType } from '../protocol/events.ts'

/** The functions that apply events of the given types to the state. */
export type Evolution<Types extends EventType> = {
  readonly [Type in Types]: (queue: Queue, event: EventOf<Type>) => void
}
