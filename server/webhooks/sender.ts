/**
 * The webhooks of one of several servers on a shared log. Of all of them one delivers at a time: who has the
 * term. The others ask for it, so one of them goes on if the sender has died or stands still.
 */

import type { ManagedQueue } from '../queues/managed-queue.ts'
import { Attempts } from './attempts.ts'
import { Sending, type SendingPorts } from './sending.ts'

export type SenderPorts = SendingPorts & {
  /** Names this process; another one never has the same name. */
  readonly name: string
  /** False while this server must not decide what the log means. */
  readonly isAble: () => boolean
}

/** How often a server that does not deliver asks whether it should. */
const askEveryMs = 1_000

export class Sender {
  readonly #ports: SenderPorts
  readonly #attempts = new Attempts()
  #sending: Sending | null = null
  #asked: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined
  #isStopped = false
  #hasWebhooks = false

  constructor(ports: SenderPorts) {
    this.#ports = ports
  }

  /** True while this server delivers; null if there are no webhooks. */
  get isSending(): boolean | null {
    return this.#hasWebhooks ? this.#sending?.isRunning === true : null
  }

  start(): void {
    this.#asked = this.#askAgain()
  }

  /** Settles when another server can go on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    this.#sending?.leave()
    await this.#asked
  }

  /** The metrics of these queues; empty if another server delivers. */
  readonly metricsOf = async (queues: readonly ManagedQueue[]): Promise<string> =>
    (await this.#sending?.metricsOf(queues)) ?? ''

  async #askAgain(): Promise<void> {
    // If the database cannot be reached, the next time tries again.
    await this.#ask().catch(() => undefined)
    if (!this.#isStopped) this.#cancel = this.#ports.timers.after(askEveryMs, () => this.start())
  }

  /** Takes the term if it is free, and settles when it is over. */
  async #ask(): Promise<void> {
    const { database, clock, isAble, name } = this.#ports
    this.#hasWebhooks = (await database.endpoints()).length > 0
    // Without webhooks there is nothing to do for a sender.
    if (!this.#hasWebhooks || !isAble()) return
    const askedAt = clock()
    const term = await database.take(name)
    if (term === null) return
    const sending = new Sending({ term, askedAt }, { ...this.#ports, attempts: this.#attempts })
    this.#sending = sending
    if (this.#isStopped) sending.leave()
    await sending.run()
    this.#sending = null
  }
}
