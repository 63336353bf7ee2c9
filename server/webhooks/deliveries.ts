/** Makes messages from applied commands, puts them into the outbox and delivers them to the endpoints. */

import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Counts } from '../history/counts.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { Timers } from '../timing/timers.ts'
import { logAttempt, outcomeOf, type Post } from './post.ts'
import { Dispatcher } from './dispatcher.ts'
import {
  addressOf,
  type Endpoint,
  isSubscribedTo,
  type Message,
  type PageOf,
  messagesOf,
  queueOf,
} from './message.ts'
import type { Outbox } from './outbox.ts'

export type DeliveryPorts = {
  readonly logger: Logger
  readonly post: Post
  readonly timers: Timers
  readonly pageOf: PageOf
  /** By endpoint, queue and outcome, since the start of this process. */
  readonly attempts: Counts
}

type ActiveEndpoint = { readonly endpoint: Endpoint; readonly dispatcher: Dispatcher }

export class Deliveries {
  readonly #outbox: Outbox
  readonly #ports: DeliveryPorts
  readonly #active = new Map<string, ActiveEndpoint>()
  /** The position in the command log up to which everything is processed. */
  #processedUpTo: number

  constructor(outbox: Outbox, processedUpTo: number, ports: DeliveryPorts) {
    this.#outbox = outbox
    this.#processedUpTo = processedUpTo
    this.#ports = ports
  }

  /** Takes the commands in the order of the log. */
  onCommand(applied: AppliedCommand): void {
    this.#processedUpTo = applied.sequence
    if (this.#active.size === 0) return
    const { origin } = this.#outbox.state
    for (const message of messagesOf(applied, origin, this.#ports.pageOf)) this.#send(message)
    this.#outbox.reach(applied.sequence)
  }

  /** Returns the metrics of these queues, in the Prometheus text format. */
  async metricsOf(queues: readonly ManagedQueue[]): Promise<string> {
    // Loaded by the first scrape, because not every server is scraped.
    const { webhookMetrics } = await import('./metrics.ts')
    const endpoints = [...this.#active].map(([id, { dispatcher }]) => {
      const lanes = new Map(Array.from(dispatcher.lanes, (lane) => [lane.queue, lane]))
      return { id, lanes, undelivered: this.#outbox.state.undeliveredByQueue(id) }
    })
    const { timers, attempts } = this.#ports
    return webhookMetrics(queues, { now: timers.now(), endpoints, attempts })
  }

  /** Aborts deliveries in progress; none begins afterwards. */
  stop(): void {
    for (const { dispatcher } of this.#active.values()) dispatcher.stop()
  }

  /** Sends messages to these endpoints from now on, and to no others. One that has changed begins anew. */
  useEndpoints(endpoints: readonly Endpoint[]): void {
    for (const [id, { endpoint, dispatcher }] of this.#active) {
      if (endpoints.some((each) => isDeepStrictEqual(each, endpoint))) continue
      dispatcher.stop()
      this.#active.delete(id)
    }
    const { deliveryQueues } = this.#outbox.state
    for (const id of [...deliveryQueues.keys()]) {
      if (endpoints.every((endpoint) => endpoint.id !== id)) {
        this.#outbox.add({ line: 'removed', endpoint: id })
      }
    }
    for (const endpoint of endpoints) {
      this.#resend(endpoint)
      this.#noteAddress(endpoint)
      if (!this.#active.has(endpoint.id)) this.#begin(endpoint)
    }
  }

  #send(message: Message): void {
    const { deliveryQueues } = this.#outbox.state
    const subscribers = [...this.#active.values()].filter(
      ({ endpoint }) =>
        isSubscribedTo(endpoint, message) && deliveryQueues.get(endpoint.id)?.isGone === false,
    )
    if (subscribers.length === 0) return
    const to = subscribers.map(({ endpoint }) => endpoint.id)
    this.#outbox.add({ line: 'message', message, to, since: this.#ports.timers.now() })
    for (const { endpoint, dispatcher } of subscribers) {
      const delivery = deliveryQueues.get(endpoint.id)?.deliveries.get(message.id)
      if (delivery) dispatcher.add(delivery)
    }
  }

  /** After a new request, makes undelivered messages pending again. */
  #resend({ id, resendWished: requestedAt }: Endpoint): void {
    const deliveryQueue = this.#outbox.state.deliveryQueues.get(id)
    if (!deliveryQueue || requestedAt === undefined) return
    if (deliveryQueue.resendRequestedAt === requestedAt) return
    this.#outbox.add({ line: 'resend', endpoint: id, wished: requestedAt })
  }

  /** What responded 410 is an address: with another one the endpoint gets messages again. */
  #noteAddress(endpoint: Endpoint): void {
    const { id } = endpoint
    const { isGone = false, goneAddress } = this.#outbox.state.deliveryQueues.get(id) ?? {}
    const address = addressOf(endpoint)
    if (!isGone || goneAddress === address) return
    // An old outbox does not say which address is gone.
    this.#outbox.add(
      typeof goneAddress === 'string'
        ? { line: 'back', endpoint: id }
        : { line: 'gone', endpoint: id, address },
    )
  }

  #begin(endpoint: Endpoint): void {
    const { logger, post, timers, attempts } = this.#ports
    const { id } = endpoint
    const { deliveryQueues } = this.#outbox.state
    if (!deliveryQueues.has(id)) {
      this.#outbox.add({ line: 'endpoint', endpoint: id })
      this.#outbox.reach(this.#processedUpTo)
    }
    const deliveryQueue = deliveryQueues.get(id)
    const dispatcher = new Dispatcher(endpoint, deliveryQueue?.isGone ?? false, {
      post,
      timers,
      record: (line) => this.#outbox.add(line),
      onAttempt: (attempt) => {
        logAttempt(logger, attempt)
        attempts.add(id, queueOf(attempt.delivery.message), outcomeOf(attempt.result))
      },
      onUndelivered: ({ message, fault }) => {
        logger.warn({ webhook: id, message: message.id, fault }, 'a webhook message was given up')
        attempts.add(id, queueOf(message), 'given_up')
      },
    })
    this.#active.set(id, { endpoint, dispatcher })
    for (const delivery of deliveryQueue?.deliveries.values() ?? []) dispatcher.add(delivery)
  }
}
