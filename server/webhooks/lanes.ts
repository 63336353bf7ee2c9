/** The messages that wait for one endpoint: first in, first out for each queue. */

import type { Millis } from '../../engine/index.ts'
import { queueOf } from './message.ts'
import type { Delivery } from './outbox.ts'

export class Lane {
  readonly queue: string
  /** True while its first message is being sent. */
  isBusy = false
  #deliveries: Delivery[] = []
  #first = 0

  constructor(queue: string) {
    this.queue = queue
  }

  get first(): Delivery | undefined {
    return this.#deliveries[this.#first]
  }

  get size(): number {
    return this.#deliveries.length - this.#first
  }

  push(delivery: Delivery): void {
    this.#deliveries.push(delivery)
  }

  shift(): void {
    this.#first++
    // `Array.shift` moves all others, each time.
    if (this.#first < this.#deliveries.length / 2) return
    this.#deliveries = this.#deliveries.slice(this.#first)
    this.#first = 0
  }
}

export class Lanes {
  readonly #lanes = new Map<string, Lane>()

  push(delivery: Delivery): void {
    const queue = queueOf(delivery.message)
    const lane = this.#lanes.get(queue) ?? new Lane(queue)
    this.#lanes.set(queue, lane)
    lane.push(delivery)
  }

  /** Removes the first message of a lane. */
  shift(lane: Lane): void {
    lane.shift()
    if (lane.size === 0) this.#lanes.delete(lane.queue)
  }

  all(): Iterable<Lane> {
    return this.#lanes.values()
  }

  /** The lane whose first message is due and the oldest of all; undefined if none is due. */
  due(now: Millis): Lane | undefined {
    let oldest: Lane | undefined
    for (const lane of this.#lanes.values()) {
      if (lane.isBusy || !lane.first || lane.first.notBefore > now) continue
      if (!oldest?.first || lane.first.position < oldest.first.position) oldest = lane
    }
    return oldest
  }

  /** The time at which the next message is due; undefined if none waits for its time. */
  nextDue(): Millis | undefined {
    let next: Millis | undefined
    for (const { isBusy, first } of this.#lanes.values()) {
      if (!isBusy && first) next = Math.min(next ?? Infinity, first.notBefore)
    }
    return next
  }
}
