/**
 * Everybody who listens, by the type of event. An event concerns few of those who watch a run, and
 * there are many events: who they are is looked up once for each type, not once for each event.
 */

import type { Event, EventOf, EventType } from '../../../engine/index.ts'
import type { Listening, Seen } from './book.ts'

type Hear<Type extends EventType> = (event: EventOf<Type>, seen: Seen) => void

type Hearers = { readonly [Type in EventType]?: readonly Hear<Type>[] }

/** Tells an event to all who listen to its type, in order. */
export type Tell = (event: Event, seen: Seen) => void

export function tellTo(all: readonly Listening[]): Tell {
  let byType: Hearers = {}

  const hearersOf = <Type extends EventType>(type: Type): readonly Hear<Type>[] => {
    const known: readonly Hear<Type>[] | undefined = byType[type]
    if (known) return known
    const gathered = all.flatMap((on) => on[type] ?? [])
    byType = { ...byType, [type]: gathered }
    return gathered
  }
  const tell = <Type extends EventType>(type: Type, event: EventOf<Type>, seen: Seen): void => {
    for (const hear of hearersOf(type)) hear(event, seen)
  }
  return (event, seen) => tell(event.type, event, seen)
}
