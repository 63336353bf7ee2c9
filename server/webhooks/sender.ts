/**
 * The webhooks of one of several servers on a shared log. Of all of them one delivers at a time: who has the
 * term. The others ask for it, so one of them goes on if the sender has died or stands still.
 */

import type { ManagedQueue } from '../queues/managed-queue.ts'
import { TermKeeper, type Work } from '../timing/term-keeper.ts'
import type { Terms } from '../timing/term.ts'
import { Attempts } from './attempts.ts'
import { Sending, type SendingPorts } from './sending.ts'

export type SenderPorts = SendingPorts & {
  readonly terms: Terms
  /** Names this process; another one never has the same name. */
  readonly name: string
  /** False while this server must not decide what the log means. */
  readonly isAble: () => boolean
}

export class Sender {
  readonly #ports: SenderPorts
  readonly #attempts = new Attempts()
  readonly #keeper: TermKeeper
  #sending: Sending | null = null
  #hasWebhooks = false

  constructor(ports: SenderPorts) {
    const { terms, name, timers, clock, logger } = ports
    this.#ports = ports
    this.#keeper = new TermKeeper({
      ...{ terms, server: name, timers, clock },
      isAble: () => this.#isAble(),
      begin: () => this.#begin(),
      onFault: (error) => logger.warn({ err: error }, 'the webhooks cannot be delivered'),
    })
  }

  /** True while this server delivers; null if there are no webhooks. */
  get isSending(): boolean | null {
    return this.#hasWebhooks ? this.#sending?.isRunning === true : null
  }

  start(): void {
    this.#keeper.start()
  }

  /** Settles when another server can go on. */
  stop(): Promise<void> {
    return this.#keeper.stop()
  }

  /** The metrics of these queues; empty if another server delivers. */
  readonly metricsOf = async (queues: readonly ManagedQueue[]): Promise<string> =>
    (await this.#sending?.metricsOf(queues)) ?? ''

  /** Without webhooks there is nothing to do for a sender. */
  async #isAble(): Promise<boolean> {
    this.#hasWebhooks = (await this.#ports.database.endpoints()).length > 0
    return this.#hasWebhooks && this.#ports.isAble()
  }

  async #begin(): Promise<Work> {
    const { database, clock, name } = this.#ports
    const readAt = clock()
    const kept = await database.read()
    const sending = new Sending(
      { kept, readAt },
      {
        ...this.#ports,
        attempts: this.#attempts,
        sender: name,
        isHeld: () => this.#keeper.isHeld,
        onEnd: () => this.#keeper.interrupt(),
      },
    )
    this.#sending = sending
    return {
      close: async () => {
        await sending.close()
        this.#sending = null
      },
    }
  }
}
