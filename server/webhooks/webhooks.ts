/**
 * Webhooks: makes messages from applied commands and delivers them to the endpoints.
 *
 * Every acknowledged command is reported, also after a crash: the outbox records up to which
 * position the command log is processed. The next start makes later messages again from the log.
 */

import type { Logger } from 'pino'
import type { DataFolder } from '../store/data-folder.ts'
import { watchFile, type FileWatch } from '../files/watched-file.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { logAttempt } from './attempt.ts'
import { Attempts } from './attempts.ts'
import { addMissed } from './missed-messages.ts'
import { Dispatcher } from './dispatcher.ts'
import { isSubscribedTo, readEndpoints, type Endpoint } from './endpoints.ts'
import { messagesOf, type PageOf } from './messages.ts'
import type { Message } from './message.ts'
import { OutboxFile } from './outbox-file.ts'
import { post as realPost, type Post } from './post.ts'
import { systemTimers, type Timers } from './timers.ts'

export type WebhookPorts = {
  readonly logger: Logger
  readonly post?: Post
  readonly timers?: Timers
  /** Default: people cannot reach a page. */
  readonly pageOf?: PageOf
}

type ActiveEndpoint = { readonly endpoint: Endpoint; readonly dispatcher: Dispatcher }

export class Webhooks {
  readonly #attempts = new Attempts()
  readonly #outbox: OutboxFile
  readonly #ports: Required<WebhookPorts>
  readonly #active = new Map<string, ActiveEndpoint>()
  readonly #watch: FileWatch<readonly Endpoint[]>
  /** The position in the command log up to which everything is processed. */
  #processedUpTo: number

  private constructor({ outbox, registry, path }: WebhookParts, ports: Required<WebhookPorts>) {
    this.#outbox = outbox
    this.#ports = ports
    this.#processedUpTo = registry.sequence
    this.#watch = watchFile<readonly Endpoint[]>({
      path,
      read: () => readEndpoints(path),
      onChange: (changed) => {
        this.#useEndpoints(changed)
        ports.logger.info({ webhooks: changed.length }, 'read the webhooks again')
      },
      onFault: (error) =>
        ports.logger.error(
          { err: error },
          'the webhooks file is not valid; the previous webhooks stay in force',
        ),
    })
    this.#useEndpoints(this.#watch.first)
  }

  /** Opens the webhooks. Call it after the registry is restored, and before the first command. */
  static async open(
    folder: DataFolder,
    registry: QueueRegistry,
    { logger, post = realPost, timers = systemTimers, pageOf = () => null }: WebhookPorts,
  ): Promise<Webhooks> {
    const endpoints = readEndpoints(folder.webhooks)
    const outbox = await OutboxFile.open(folder.outbox, (error) =>
      logger.error({ err: error }, 'the outbox of the webhooks could not be written'),
    )
    await addMissed(folder, { outbox, endpoints, registry, logger, now: timers.now(), pageOf })
    const webhooks = new Webhooks(
      { outbox, registry, path: folder.webhooks },
      { logger, post, timers, pageOf },
    )
    // An endpoint that is not on disk would be new after a crash and miss everything before it.
    await outbox.flush()
    return webhooks
  }

  /** A subscriber of the queue manager. */
  readonly onCommand = (applied: AppliedCommand): void => {
    this.#processedUpTo = applied.sequence
    if (this.#active.size === 0) return
    const { origin } = this.#outbox.state
    for (const message of messagesOf(applied, origin, this.#ports.pageOf)) this.#send(message)
    this.#outbox.reach(applied.sequence)
  }

  /** Returns the metrics of these queues, in the Prometheus text format. */
  readonly metricsOf = async (queues: readonly ManagedQueue[]): Promise<string> => {
    // Loaded by the first scrape, because not every server is scraped.
    const { webhookMetrics } = await import('./metrics.ts')
    const endpoints = [...this.#active].map(([id, { dispatcher }]) => {
      const lanes = new Map(Array.from(dispatcher.lanes, (lane) => [lane.queue, lane]))
      return { id, lanes, undelivered: this.#outbox.state.undeliveredByQueue(id) }
    })
    const now = this.#ports.timers.now()
    return webhookMetrics(queues, { now, endpoints, attempts: this.#attempts })
  }

  /** Aborts deliveries in progress and writes the outbox. */
  async close(): Promise<void> {
    this.#watch.end()
    for (const { dispatcher } of this.#active.values()) dispatcher.stop()
    await this.#outbox.close()
  }

  /** Like `close`, but writes nothing more, because the folder may belong to another server. */
  abandon(): void {
    this.#watch.end()
    for (const { dispatcher } of this.#active.values()) dispatcher.stop()
    this.#outbox.abandon()
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

  /** Sends messages to these endpoints from now on, and to no others. */
  #useEndpoints(endpoints: readonly Endpoint[]): void {
    for (const [id, { dispatcher }] of this.#active) {
      if (endpoints.some((endpoint) => endpoint.id === id)) continue
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
      if (!this.#active.has(endpoint.id)) this.#begin(endpoint)
    }
  }

  /** After a new request, makes undelivered messages pending again and drops the old dispatcher. */
  #resend({ id, resendWished: requestedAt }: Endpoint): void {
    const deliveryQueue = this.#outbox.state.deliveryQueues.get(id)
    if (
      !deliveryQueue ||
      requestedAt === undefined ||
      deliveryQueue.resendRequestedAt === requestedAt
    )
      return
    this.#active.get(id)?.dispatcher.stop()
    this.#active.delete(id)
    this.#outbox.add({ line: 'resend', endpoint: id, wished: requestedAt })
  }

  #begin(endpoint: Endpoint): void {
    const { logger, post, timers } = this.#ports
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
        this.#attempts.tried(attempt)
      },
      onUndelivered: ({ message, fault }) => {
        logger.warn({ webhook: id, message: message.id, fault }, 'a webhook message was given up')
        this.#attempts.gaveUp(id, message)
      },
    })
    this.#active.set(id, { endpoint, dispatcher })
    for (const delivery of deliveryQueue?.deliveries.values() ?? []) dispatcher.add(delivery)
  }
}

type WebhookParts = {
  readonly outbox: OutboxFile
  readonly registry: QueueRegistry
  /** The file of the endpoints. */
  readonly path: string
}
