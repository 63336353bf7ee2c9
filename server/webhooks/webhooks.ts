/**
 * Webhooks of a server with a data folder: its endpoints, its outbox and the deliveries.
 *
 * Every acknowledged command is reported, also after a crash: the outbox records up to which
 * position the command log is processed. The next start makes later messages again from the log.
 */

import type { Logger } from 'pino'
import { type FileWatch, watchFile } from '../files/watched-file.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { DataFolder } from '../store/data-folder.ts'
import { type TimersAndNow, systemTimers } from '../timing/timers.ts'
import { Attempts } from './attempts.ts'
import { Deliveries } from './deliveries.ts'
import { type Endpoint, readEndpoints } from './endpoints.ts'
import type { PageOf } from './message.ts'
import { addMissed } from './missed-messages.ts'
import { OutboxFile } from './outbox-file.ts'
import { type Post, post as realPost } from './post.ts'

export type WebhookPorts = {
  readonly logger: Logger
  readonly post?: Post
  readonly timers?: TimersAndNow
  /** Default: people cannot reach a page. */
  readonly pageOf?: PageOf
}

export class Webhooks {
  readonly #outbox: OutboxFile
  readonly #deliveries: Deliveries
  readonly #watch: FileWatch<readonly Endpoint[]>

  private constructor({ outbox, registry, path }: WebhookParts, ports: Required<WebhookPorts>) {
    this.#outbox = outbox
    const attempts = new Attempts()
    this.#deliveries = new Deliveries(outbox, registry.sequence, { ...ports, attempts })
    this.#watch = watchFile<readonly Endpoint[]>({
      path,
      read: () => readEndpoints(path),
      onChange: (changed) => {
        this.#deliveries.useEndpoints(changed)
        ports.logger.info({ webhooks: changed.length }, 'read the webhooks again')
      },
      onFault: (error) =>
        ports.logger.error(
          { err: error },
          'the webhooks file is not valid; the previous webhooks stay in force',
        ),
    })
    this.#deliveries.useEndpoints(this.#watch.first)
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
  readonly onCommand = (applied: AppliedCommand): void => this.#deliveries.onCommand(applied)

  /** Returns the metrics of these queues, in the Prometheus text format. */
  metricsOf(queues: readonly ManagedQueue[]): Promise<string> {
    return this.#deliveries.metricsOf(queues)
  }

  /** Aborts deliveries in progress and writes the outbox. */
  async close(): Promise<void> {
    this.#watch.end()
    this.#deliveries.stop()
    await this.#outbox.close()
  }

  /** Like `close`, but writes nothing more, because the folder may belong to another server. */
  abandon(): void {
    this.#watch.end()
    this.#deliveries.stop()
    this.#outbox.abandon()
  }
}

type WebhookParts = {
  readonly outbox: OutboxFile
  readonly registry: QueueRegistry
  /** The file of the endpoints. */
  readonly path: string
}
