/** The queues of a shared log, for who works on their repositories. */

import type { RecordedCommand } from '../../engine/index.ts'
import type { Queues } from '../hosting/queues.ts'
import type { ManagerOutcome } from '../queues/outcome.ts'
import type { Committed } from './committed.ts'

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

/** What was sent to one queue of a shared log, in order, and is not seen there yet. */
export class Sent {
  readonly #ask: (command: RecordedCommand) => Promise<ManagerOutcome>
  #underWay = 0
  #last: Promise<void> = Promise.resolve()
  /** Why it is not known whether something was done. */
  #fault: unknown = null

  constructor(ask: (command: RecordedCommand) => Promise<ManagerOutcome>) {
    this.#ask = ask
  }

  /** Sends a command whose outcome does not matter: `settled` tells when it is seen. */
  send(command: RecordedCommand): void {
    this.#underWay++
    const asked = this.#ask(command)
      .catch((error: unknown) => {
        this.#fault = error
      })
      .finally(() => this.#underWay--)
    this.#last = Promise.all([this.#last, asked]).then(() => undefined)
  }

  /**
   * Settles when all that was sent is seen; undefined if it already is. Rejects, once, if it is not known
   * whether some of it was done.
   */
  settled(): Promise<void> | undefined {
    return this.#underWay === 0 && this.#fault === null ? undefined : this.#settle()
  }

  async #settle(): Promise<void> {
    await this.#last
    const fault = this.#fault
    this.#fault = null
    if (fault instanceof Error) throw fault
  }
}
