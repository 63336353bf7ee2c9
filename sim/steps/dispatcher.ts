/**
 * Calls the handlers of a run. There are many events, and each concerns few handlers, so the
 * handlers of a topic are looked up once and not for each event.
 */

import type { Event } from '../../engine/index.ts'
import type { EventHandler, EventHandlers, Handlers, Point, Topic, Topics } from './handlers.ts'
import type { SeenStep } from './step.ts'
import { isTerminal } from './terminal-states.ts'

type ByTopic = { readonly [Each in Topic]?: readonly EventHandler<Topics[Each]>[] }

export type Dispatcher = {
  /** Calls the handlers of all events of the step. Returns the point after its last event. */
  dispatch(step: SeenStep): Point
}

/** Returns a dispatcher that calls these handlers, in this order at each event. */
export function dispatcherTo(all: readonly Handlers[]): Dispatcher {
  const atCommand = all.flatMap((each) => each.atCommand ?? [])
  const atRest = all.flatMap((each) => each.atRest ?? [])
  const report = eventDispatcher(all.flatMap(({ on }) => on ?? []))
  return {
    dispatch(step) {
      const { at } = step.command
      let { sequence } = step
      const before = { at, sequence, step }
      for (const handle of atCommand) handle(before)
      for (const event of step.events) {
        sequence++
        report(event, { at, sequence, step })
      }
      const after = { at, sequence, step }
      for (const handle of atRest) handle(after)
      return after
    },
  }
}

function eventDispatcher(all: readonly EventHandlers[]): EventHandler<Event> {
  const byTopic: ByTopic = {
    pullRequestEnded: all.flatMap(({ pullRequestMoved, pullRequestEnded }) => [
      ...(pullRequestMoved ? [pullRequestMoved] : []),
      ...(pullRequestEnded ? [pullRequestEnded] : []),
    ]),
  }

  const handlersOf = <Each extends Topic>(topic: Each): readonly EventHandler<Topics[Each]>[] => {
    const known: readonly EventHandler<Topics[Each]>[] | undefined = byTopic[topic]
    if (known) return known
    const gathered: EventHandler<Topics[Each]>[] = []
    for (const { [topic]: handle } of all) if (handle) gathered.push(handle)
    Object.assign(byTopic, { [topic]: gathered })
    return gathered
  }
  const report = <Each extends Topic>(topic: Each, event: Topics[Each], point: Point): void => {
    for (const handle of handlersOf(topic)) handle(event, point)
  }
  return (event, point) => {
    const { type } = event
    if (type === 'pullRequestMoved' && isTerminal(event.to)) {
      report('pullRequestEnded', event, point)
    } else report(type, event, point)
  }
}
