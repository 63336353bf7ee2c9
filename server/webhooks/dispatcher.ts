/**
 * Delivers messages to one endpoint: in order per pull request, otherwise concurrently, with
 * scheduled retries. Dispatchers of different endpoints share no state.
 */

import TinyQueue from 'tinyqueue'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import { KeyedQueues } from './keyed-queues.ts'
import type { Delivery, OutboxLine } from './outbox-state.ts'
import type { Post } from './post.ts'
import type { Timers } from './timers.ts'

const second: Millis = 1_000
const minute: Millis = 60 * second
const hour: Millis = 60 * minute

/** The time from each failed attempt to the next one. */
export const retryAfterMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
] as const satisfies readonly Millis[]

/** The limit of concurrent requests. After a failure the limit is one until a delivery succeeds. */
const mostConcurrent = 8

/**
 * After this many consecutive failures, delivery to the endpoint pauses; each pause is twice as
 * long. A failing endpoint must not slow the others.
 */
const failuresBeforePause = 3
const shortestPauseMs: Millis = second
const longestPauseMs: Millis = minute

export type DispatcherPorts = {
  readonly post: Post
  readonly timers: Timers
  /** Records the outcome of a delivery in the outbox. */
  readonly record: (line: OutboxLine) => void
  /** Called when a delivery is given up. */
  readonly onUndelivered: (delivery: Delivery) => void
}

type QueuedDelivery = { readonly delivery: Delivery; readonly keys: readonly string[] }

export class Dispatcher {
  readonly #endpoint: Endpoint
  readonly #ports: DispatcherPorts
  readonly #queues = new KeyedQueues<QueuedDelivery>()
  /** Deliveries that are due. */
  readonly #ready: QueuedDelivery[] = []
  /** Deliveries that are due later, by time. */
  readonly #waiting = new TinyQueue<QueuedDelivery>(
    [],
    (a, b) => a.delivery.notBefore - b.delivery.notBefore,
  )
  readonly #end = new AbortController()
  #cancelTimer = (): void => undefined
  #inProgress = 0
  #consecutiveFailures = 0
  #pausedUntil: Millis = 0
  #isGone: boolean

  constructor(endpoint: Endpoint, isGone: boolean, ports: DispatcherPorts) {
    this.#endpoint = endpoint
    this.#isGone = isGone
    this.#ports = ports
  }

  /** Adds a delivery; it is sent after earlier ones with a common key. */
  add(delivery: Delivery): void {
    if (delivery.isUndelivered) return
    if (this.#isGone) {
      this.#giveUp(delivery, 'the endpoint is gone')
      return
    }
    const queued = { delivery, keys: delivery.message.lanes }
    if (this.#queues.add(queued)) this.#schedule(queued)
    this.#sendDue()
  }

  /** Aborts requests in progress; they do not count as attempts. */
  stop(): void {
    this.#end.abort()
    this.#cancelTimer()
  }

  /** Sends the delivery as soon as it is due. */
  #schedule(queued: QueuedDelivery): void {
    if (queued.delivery.notBefore <= this.#ports.timers.now()) this.#ready.push(queued)
    else this.#waiting.push(queued)
  }

  #sendDue(): void {
    if (this.#end.signal.aborted) return
    const now = this.#ports.timers.now()
    this.#moveDue(now)
    const limit = this.#consecutiveFailures === 0 ? mostConcurrent : 1
    while (this.#inProgress < limit && now >= this.#pausedUntil) {
      const queued = this.#ready.shift()
      if (!queued) break
      this.#inProgress++
      void this.#deliver(queued)
    }
    this.#setTimer(now)
  }

  /** Moves deliveries that are due now from `#waiting` to `#ready`. */
  #moveDue(now: Millis): void {
    for (let next = this.#waiting.peek(); next; next = this.#waiting.peek()) {
      if (next.delivery.notBefore > now) return
      this.#waiting.pop()
      this.#ready.push(next)
    }
  }

  /** Sets the timer for the next delivery that does not depend on a request in progress. */
  #setTimer(now: Millis): void {
    this.#cancelTimer()
    const isHeldByPause = this.#ready.length > 0 && now < this.#pausedUntil
    const due = isHeldByPause ? this.#pausedUntil : this.#waiting.peek()?.delivery.notBefore
    if (due === undefined) return
    const waitMs = Math.max(due, this.#pausedUntil) - now
    this.#cancelTimer = this.#ports.timers.after(waitMs, () => this.#sendDue())
  }

  async #deliver(queued: QueuedDelivery): Promise<void> {
    const { delivery } = queued
    const { signal } = this.#end
    const failed = this.#isGone
      ? { fault: 'the endpoint is gone', isGone: true }
      : await this.#ports.post(this.#endpoint, delivery.message, signal)
    if (signal.aborted) return
    this.#inProgress--
    this.#consecutiveFailures = failed ? this.#consecutiveFailures + 1 : 0
    this.#pausedUntil = this.#ports.timers.now() + pauseMs(this.#consecutiveFailures)
    if (failed) this.#failed(queued, failed)
    else this.#delivered(queued)
    this.#sendDue()
  }

  #delivered(queued: QueuedDelivery): void {
    const { id: message } = queued.delivery.message
    this.#ports.record({ line: 'delivered', endpoint: this.#endpoint.id, message })
    this.#leave(queued)
  }

  #failed(
    queued: QueuedDelivery,
    failed: { readonly fault: string; readonly isGone: boolean },
  ): void {
    const { delivery } = queued
    const { fault, isGone } = failed
    const endpoint = this.#endpoint.id
    if (isGone && !this.#isGone) {
      this.#isGone = true
      this.#ports.record({ line: 'gone', endpoint })
    }
    const waitMs = retryAfterMs[delivery.attempts]
    if (isGone || waitMs === undefined) {
      this.#giveUp(delivery, fault)
      this.#leave(queued)
      return
    }
    const attempts = delivery.attempts + 1
    const notBefore = this.#ports.timers.now() + waitMs
    const { id: message } = delivery.message
    this.#ports.record({ line: 'failed', endpoint, message, attempts, notBefore, fault })
    this.#waiting.push(queued)
  }

  #giveUp(delivery: Delivery, fault: string): void {
    const { id: message } = delivery.message
    this.#ports.record({ line: 'undelivered', endpoint: this.#endpoint.id, message, fault })
    this.#ports.onUndelivered(delivery)
  }

  #leave(queued: QueuedDelivery): void {
    for (const next of this.#queues.remove(queued)) this.#schedule(next)
  }
}

function pauseMs(consecutiveFailures: number): Millis {
  const pauses = consecutiveFailures - failuresBeforePause
  return pauses < 0 ? 0 : Math.min(longestPauseMs, shortestPauseMs * 2 ** pauses)
}
