/**
 * Delivers messages to one endpoint: those of one queue one after the other, in order, and those of
 * different queues concurrently. Dispatchers of different endpoints share no state.
 *
 * As soon as one delivery succeeds after failures, everything that waits is due at once.
 */

import type { Millis } from '../../engine/index.ts'
import { longestAskedMs } from '../timing/retry-after.ts'
import type { Timers } from '../timing/timers.ts'
import { type Attempt, type Post, type PostResult, gone } from './post.ts'
import { addressOf, type Endpoint, queueOf } from './message.ts'
import type { Delivery, OutboxLine } from './outbox.ts'

const second: Millis = 1_000
const minute: Millis = 60 * second

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
  /** Called after each attempt. */
  readonly onAttempt: (attempt: Attempt) => void
  /** Called when a delivery is given up. */
  readonly onUndelivered: (delivery: Delivery) => void
}

const endpointIsGone = 'the endpoint is gone'

export class Dispatcher {
  readonly #endpoint: Endpoint
  readonly #ports: DispatcherPorts
  readonly #lanes = new Lanes()
  readonly #end = new AbortController()
  #cancelTimer = (): void => undefined
  #inProgress = 0
  #consecutiveFailures = 0
  #pausedUntil: Millis = 0
  /** What it has asked for itself; what was under way may still succeed. */
  #askedUntil: Millis = 0
  #isGone: boolean

  constructor(endpoint: Endpoint, isGone: boolean, ports: DispatcherPorts) {
    this.#endpoint = endpoint
    this.#isGone = isGone
    this.#ports = ports
  }

  /** The queues with messages that wait, those in progress included. */
  get lanes(): Iterable<Lane> {
    return this.#lanes.all()
  }

  /** Adds a delivery; it is sent after all earlier ones of its queue. */
  add(delivery: Delivery): void {
    if (delivery.isUndelivered) return
    const now = this.#ports.timers.now()
    delivery.since ??= now
    // An older schedule, or a clock that was wrong, must not delay it for hours.
    delivery.notBefore = Math.min(delivery.notBefore, now + longestAskedMs)
    if (this.#isGone) {
      this.#giveUp(delivery, endpointIsGone)
      return
    }
    this.#lanes.push(delivery)
    this.#sendDue()
  }

  /** Aborts requests in progress; they do not count as attempts. */
  stop(): void {
    this.#end.abort()
    this.#cancelTimer()
  }

  #sendDue(): void {
    if (this.#end.signal.aborted) return
    const now = this.#ports.timers.now()
    const limit = this.#consecutiveFailures === 0 ? mostConcurrent : 1
    while (this.#inProgress < limit && now >= this.#dueAt) {
      const lane = this.#lanes.due(now)
      if (!lane?.first) break
      lane.isBusy = true
      this.#inProgress++
      void this.#deliver(lane, lane.first)
    }
    this.#setTimer(now)
  }

  get #dueAt(): Millis {
    return Math.max(this.#pausedUntil, this.#askedUntil)
  }

  /** Sets the timer for the next delivery that does not depend on a request in progress. */
  #setTimer(now: Millis): void {
    this.#cancelTimer()
    const next = this.#lanes.nextDue()
    if (next === undefined) return
    const due = Math.max(next, this.#dueAt)
    // What is due already starts when a request in progress ends.
    if (due <= now) return
    this.#cancelTimer = this.#ports.timers.after(due - now, () => this.#sendDue())
  }

  async #deliver(lane: Lane, delivery: Delivery): Promise<void> {
    const { post, timers, onAttempt } = this.#ports
    const { signal } = this.#end
    const begun = timers.now()
    const result = await post(this.#endpoint, delivery.message, signal)
    if (signal.aborted) return
    const now = timers.now()
    lane.isBusy = false
    this.#inProgress--
    const attempt = delivery.attempts + 1
    if (result.fault === null) this.#delivered(lane, delivery)
    else this.#failed(lane, delivery, result)
    const nextMs = lane.first === delivery ? delivery.notBefore - now : null
    onAttempt({ endpoint: this.#endpoint, delivery, attempt, result, ms: now - begun, nextMs })
    if (this.#isGone) this.#giveUpIdle()
    this.#sendDue()
  }

  #delivered(lane: Lane, { message }: Delivery): void {
    this.#ports.record({ line: 'delivered', endpoint: this.#endpoint.id, message: message.id })
    this.#lanes.shift(lane)
    this.#pausedUntil = 0
    this.#consecutiveFailures = 0
    this.#hurry()
  }

  /** The endpoint responds again, so what waits for its next attempt is due now. */
  #hurry(): void {
    for (const { first } of this.#lanes.all()) {
      if (first) first.notBefore = Math.min(first.notBefore, soonestOf(first))
    }
  }

  #failed(lane: Lane, delivery: Delivery, { status, fault, askedMs }: PostResult): void {
    const now = this.#ports.timers.now()
    const endpoint = this.#endpoint.id
    this.#consecutiveFailures++
    this.#pausedUntil = now + pauseMs(this.#consecutiveFailures)
    this.#askedUntil = Math.max(this.#askedUntil, now + (askedMs ?? 0))
    if (status === gone && !this.#isGone) {
      this.#isGone = true
      this.#ports.record({ line: 'gone', endpoint, address: addressOf(this.#endpoint) })
    }
    const attempts = delivery.attempts + 1
    const notBefore = Math.max(now + waitAfter(attempts), this.#askedUntil)
    const line = { attempts, notBefore, fault: fault ?? '' }
    this.#ports.record({ line: 'failed', endpoint, message: delivery.message.id, ...line })
    if (this.#isGone) this.#giveUpFirst(lane, delivery, fault ?? '')
    else if (isHopeless(delivery, now)) this.#giveUpOld(lane, delivery, now)
  }

  /** Gives up the message, and those behind it that waited for as long. */
  #giveUpOld(lane: Lane, delivery: Delivery, now: Millis): void {
    this.#giveUpFirst(lane, delivery, delivery.fault)
    while (lane.first && isTooOld(lane.first.since, now)) {
      this.#giveUpFirst(lane, lane.first, 'waited behind a message that could not be delivered')
    }
  }

  /** Gives up everything that is not being sent now. */
  #giveUpIdle(): void {
    for (const lane of [...this.#lanes.all()]) {
      while (!lane.isBusy && lane.first) this.#giveUpFirst(lane, lane.first, endpointIsGone)
    }
  }

  #giveUpFirst(lane: Lane, delivery: Delivery, fault: string): void {
    this.#giveUp(delivery, fault)
    this.#lanes.shift(lane)
  }

  #giveUp(delivery: Delivery, fault: string): void {
    const { id: message } = delivery.message
    this.#ports.record({ line: 'undelivered', endpoint: this.#endpoint.id, message, fault })
    this.#ports.onUndelivered(delivery)
  }
}

function pauseMs(consecutiveFailures: number): Millis {
  const pauses = consecutiveFailures - failuresBeforePause
  return pauses < 0 ? 0 : Math.min(longestPauseMs, shortestPauseMs * 2 ** pauses)
}

// The messages that wait for one endpoint: first in, first out for each queue.

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

class Lanes {
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

// When a failed delivery is tried again, and when it is given up.

const hour: Millis = 60 * minute

/** The time from the first attempt to the second. */
const shortestWaitMs: Millis = 5 * second
/** The longest time between two attempts: so long the end of an outage may stay unnoticed. */
const longestWaitMs: Millis = 5 * minute
/** A message that waits longer is given up, but only after this many attempts. */
export const patienceMs: Millis = 28 * hour
export const fewestAttempts = 8

/** Each wait is twice as long as the one before, up to the longest. */
export function waitAfter(attempts: number): Millis {
  return Math.min(longestWaitMs, shortestWaitMs * 2 ** (attempts - 1))
}

/**
 * The earliest time of the next attempt once the endpoint is known to respond again. Two attempts
 * with one message are never closer than the shortest wait, so a message that alone is refused does
 * not follow every other delivery.
 */
function soonestOf({ attempts, notBefore }: Delivery): Millis {
  return attempts === 0 ? 0 : notBefore - waitAfter(attempts) + shortestWaitMs
}

/** A message is given up if it was tried often enough and waits for too long. */
function isHopeless({ attempts, since }: Delivery, now: Millis): boolean {
  return attempts >= fewestAttempts && isTooOld(since, now)
}

function isTooOld(since: Millis | null, now: Millis): boolean {
  return since !== null && now - since >= patienceMs
}
