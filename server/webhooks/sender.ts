/**
 * The webhooks of one of several servers on a shared log. Of all of them one delivers at a time: who has the
 * term. The others ask for it, so one of them goes on if the sender has died or is suspended.
 */

import { Counts } from '../history/counts.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { TermKeeper, type Work, type Terms } from '../timing/term-keeper.ts'
import type { Post } from './post.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { Deliveries, type DeliveryPorts } from './deliveries.ts'
import type { Endpoint } from './message.ts'
import {
  type KeptOutbox,
  type OutboxDatabase,
  type Position,
  SharedOutbox,
} from './outbox-database.ts'

export type SenderPorts = SendingPorts & {
  readonly terms: Terms
  /** Names this process; another one never has the same name. */
  readonly name: string
  /** False while this server must not decide what the log means. */
  readonly isAble: () => boolean
}

export class Sender {
  readonly #ports: SenderPorts
  readonly #attempts = new Counts()
  readonly #keeper: TermKeeper
  #sending: Sending | null = null
  #hasWebhooks = false

  constructor(ports: SenderPorts) {
    const { terms, name, timers, logger } = ports
    this.#ports = ports
    this.#keeper = new TermKeeper({
      terms,
      server: name,
      timers,
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
    const { database, timers, name } = this.#ports
    const readAt = timers.now()
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

// The work of one term of a sender: follows the log, delivers, and keeps the outbox in the database. It begins
// with what the database says and ends for good as soon as anything goes wrong; then the next term begins anew.

/** Reads the shared log, one commit after another. */
type LogFollower = {
  /** Everything up to here was returned. */
  readonly position: Position
  /** What was appended since. */
  next(): Promise<readonly AppliedCommand[]>
}

type SendingPorts = Omit<DeliveryPorts, 'attempts'> & {
  readonly database: OutboxDatabase
  /** Opens the log behind this entry; null: behind its last one. */
  readonly follow: (after: number | null) => Promise<LogFollower>
}

/** How often the log is read and the outbox is written, if there is something to write. */
const stepMs = 250
/** How often the endpoints are read, and the position is written if there is nothing else to write. */
const stepsPerRenewal = 4

/** What is known when a term begins. */
export type Beginning = {
  readonly kept: KeptOutbox
  /** When it was read, by the clock of this server. */
  readonly readAt: number
}

type AllPorts = SendingPorts &
  DeliveryPorts & {
    /** The process that has the term. */
    readonly sender: string
    /** False once another server may have the term. */
    readonly isHeld: () => boolean
    /** Called when nothing is sent any more. */
    readonly onEnd: () => void
  }

export class Sending {
  readonly #ports: AllPorts
  readonly #outbox: SharedOutbox
  readonly #pauses = new Set<() => void>()
  #deliveries: Deliveries | null = null
  #position: Position
  readonly #run: Promise<void>
  /** Nothing may be sent any more, and what is in memory may not be valid. */
  #isEnded = false
  #isLeaving = false

  constructor({ kept, readAt }: Beginning, ports: AllPorts) {
    const { timers } = ports
    // One clock for what is kept: that of the database, as far as this server knows it.
    const now = (): number => kept.now + timers.now() - readAt
    this.#ports = { ...ports, post: this.#post(ports.post), timers: { ...timers, now } }
    this.#position = kept.position
    this.#outbox = new SharedOutbox(ports)
    this.#outbox.load(kept)
    this.#run = this.#deliver()
  }

  /** Ends the work in order. Settles when another server can go on. */
  async close(): Promise<void> {
    this.#isLeaving = true
    this.#deliveries?.stop()
    this.#resume()
    await this.#run
  }

  async #deliver(): Promise<void> {
    const { logger, onEnd } = this.#ports
    logger.info('this server delivers the webhooks')
    try {
      await Promise.all([this.#orEnd(this.#follow()), this.#orEnd(this.#keep())])
      // What is known here need not be done again by the next sender.
      await this.#outbox.write(this.#position)
    } catch (error) {
      logger.warn({ err: error }, 'this server does not deliver the webhooks any more')
    }
    this.#end()
    onEnd()
  }

  async metricsOf(queues: readonly ManagedQueue[]): Promise<string> {
    return (await this.#deliveries?.metricsOf(queues)) ?? ''
  }

  /** False once nothing is sent any more. */
  get isRunning(): boolean {
    return !this.#isEnded && !this.#isLeaving
  }

  /** Reads the log, makes its messages and delivers them. */
  async #follow(): Promise<void> {
    const { database, follow } = this.#ports
    const { deliveryQueues, through } = this.#outbox.state
    const log = await follow(deliveryQueues.size === 0 ? null : through)
    const deliveries = new Deliveries(this.#outbox, log.position.sequence, this.#ports)
    this.#deliveries = deliveries
    let endpoints = await database.endpoints()
    // A new endpoint gets nothing of what was before: it is used from the end of the log.
    let used: readonly Endpoint[] = endpoints.filter(({ id }) => deliveryQueues.has(id))
    for (let step = 0; ; step++) {
      const applied = await log.next()
      if (step > 0 && step % stepsPerRenewal === 0) endpoints = await database.endpoints()
      if (!this.isRunning) return
      deliveries.useEndpoints(used)
      for (const each of applied) deliveries.onCommand(each)
      this.#position = log.position
      deliveries.useEndpoints(endpoints)
      used = endpoints
      await this.#pause(stepMs)
    }
  }

  /** Writes the outbox while there is something to write. */
  async #keep(): Promise<void> {
    for (let step = 1; ; step++) {
      await this.#pause(stepMs)
      if (!this.isRunning) return
      if (this.#outbox.hasPending || step % stepsPerRenewal === 0)
        await this.#outbox.write(this.#position)
    }
  }

  /** Posts only during the term: another server may post already. */
  #post(post: Post): Post {
    return (endpoint, message, signal) => {
      if (this.isRunning && this.#ports.isHeld()) return post(endpoint, message, signal)
      // The dispatcher that asked is stopped, so nobody reads this.
      this.#end()
      return Promise.resolve({ status: null, fault: 'not sent' })
    }
  }

  /** After a failure nothing in memory is certain, so nothing of it is sent or written. */
  async #orEnd(loop: Promise<void>): Promise<void> {
    try {
      await loop
    } catch (error) {
      this.#end()
      throw error
    }
  }

  #end(): void {
    this.#isEnded = true
    this.#deliveries?.stop()
    this.#resume()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isRunning) {
        resolve()
        return
      }
      const go = (): void => {
        cancel()
        this.#pauses.delete(go)
        resolve()
      }
      const cancel = this.#ports.timers.after(ms, go)
      this.#pauses.add(go)
    })
  }

  #resume(): void {
    for (const go of [...this.#pauses]) go()
  }
}
