/**
 * What is committed, from the first time that somebody asks for it. Following the log takes a second state of
 * all queues, and replays every command once more.
 */

import type { Subscriber } from '../queues/publisher.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { Committed, type CommittedPorts } from './committed.ts'

export class CommittedOnDemand {
  readonly #ports: CommittedPorts
  readonly #subscribers: Subscriber[] = []
  #committed: Committed | null = null
  #opening: Promise<void> | null = null
  #isOpen = false
  #isClosed = false

  constructor(ports: CommittedPorts) {
    this.#ports = ports
  }

  /** Hears every command since it was opened, and before that those since the newest saved state. */
  subscribe(subscriber: Subscriber): void {
    this.#subscribers.push(subscriber)
  }

  /** Settles when `registry` shows all that was committed before. If it rejects, the next call tries again. */
  async open(): Promise<void> {
    if (this.#isClosed) throw new Error('the server is stopping')
    if (this.#isOpen) return
    this.#opening ??= this.#begin().finally(() => {
      this.#opening = null
    })
    await this.#opening
  }

  /** Only what is open has one. */
  get registry(): QueueRegistry {
    if (!this.#committed) throw new Error('nobody has asked for what is committed')
    return this.#committed.registry
  }

  /** Settles when nobody is called any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening?.catch(() => undefined)
    await this.#committed?.close()
  }

  async #begin(): Promise<void> {
    const committed = await Committed.open(this.#ports, 'saved')
    this.#committed = committed
    try {
      for (const subscriber of this.#subscribers) committed.subscribe(subscriber)
      await committed.follow()
      this.#isOpen = true
    } catch (error) {
      this.#committed = null
      await committed.close()
      throw error
    }
  }
}
