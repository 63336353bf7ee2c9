/** The queues of a shared log, for who works on their repositories. */

import type { Queues } from '../hosting/queues.ts'
import type { Committed } from './committed.ts'
import { Sent } from './sent.ts'

export function sharedQueues(committed: Committed): Queues {
  const all = new Map<string, Sent>()
  const sentTo = (queue: string): Sent => {
    const sent = all.get(queue) ?? new Sent((command) => committed.ask(queue, command))
    all.set(queue, sent)
    return sent
  }
  return {
    get registry() {
      return committed.registry
    },
    subscribe: (subscriber) => void committed.subscribe(subscriber),
    send: (queue, command) => sentTo(queue).send(command),
    ask: (queue, command, by) => committed.ask(queue, command, by),
    settled: (queue) => sentTo(queue).settled(),
    // What is seen is committed.
    durable: () => undefined,
  }
}
