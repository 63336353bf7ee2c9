/**
 * Everybody who listens, by what they listen to. An event concerns few of those who watch a run,
 * and there are many events: who they are is found out once for each topic, not for each event.
 */

import type { Event } from '../../../engine/index.ts'
import type { Hear, Heard, Listening, Seen, Topic } from './book.ts'
import { isTerminal } from './states.ts'

type Hearers = { readonly [About in Topic]?: readonly Hear<Heard[About]>[] }

/** Tells an event to all who listen to it, in order. */
export type Tell = (event: Event, seen: Seen) => void

export function tellTo(all: readonly Listening[]): Tell {
  let byTopic: Hearers = {
    pullRequestEnded: all.flatMap(({ pullRequestMoved, pullRequestEnded }) => [
      ...(pullRequestMoved ? [pullRequestMoved] : []),
      ...(pullRequestEnded ? [pullRequestEnded] : []),
    ]),
  }

  const hearersOf = <About extends Topic>(topic: About): readonly Hear<Heard[About]>[] => {
    const known: readonly Hear<Heard[About]>[] | undefined = byTopic[topic]
    if (known) return known
    const gathered = all.flatMap((on) => on[topic] ?? [])
    byTopic = { ...byTopic, [topic]: gathered }
    return gathered
  }
  const tell = <About extends Topic>(topic: About, event: Heard[About], seen: Seen): void => {
    for (const hear of hearersOf(topic)) hear(event, seen)
  }
  return (event, seen) => {
    const { type } = event
    if (type === 'pullRequestMoved' && isTerminal(event.to)) tell('pullRequestEnded', event, seen)
    else tell(type, event, seen)
  }
}
