/**
 * Webhooks of a server with a data folder: its endpoints, its outbox and the deliveries.
 *
 * Every acknowledged command is reported, also after a crash: the outbox records up to which
 * position the command log is processed. The next start makes later messages again from the log.
 */

import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { type FileWatch, watchFile } from '../files/foreign-file.ts'
import { Counts } from '../history/counts.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { type AppliedCommand, appliedOf } from '../queues/publisher.ts'
import { noWakes, QueueRegistry } from '../queues/queue-registry.ts'
import { SystemClock } from '../queues/system-clock.ts'
import { type DataFolder, beginningFile, segmentFile, segmentsIn } from '../store/data-folder.ts'
import { type Timers, systemTimers } from '../timing/timers.ts'
import { type Post, post as realPost } from './post.ts'
import { Deliveries } from './deliveries.ts'
import { type Endpoint, readEndpoints, isSubscribedTo, type PageOf, messagesOf } from './message.ts'
import { OutboxFile, type Outbox } from './outbox.ts'
import type { Millis } from '../../engine/index.ts'
import { linkedSegments, readSegmentFile } from '../store/segment.ts'
import { firstSegment } from '../store/recover.ts'
import { type Snapshot, SnapshotFile } from '../store/snapshot-file.ts'

export type WebhookPorts = {
  readonly logger: Logger
  readonly post?: Post
  readonly timers?: Timers
  /** Default: people cannot reach a page. */
  readonly pageOf?: PageOf
}

export class Webhooks {
  readonly #outbox: OutboxFile
  readonly #deliveries: Deliveries
  readonly #watch: FileWatch<readonly Endpoint[]>

  private constructor({ outbox, registry, path }: WebhookParts, ports: Required<WebhookPorts>) {
    this.#outbox = outbox
    const attempts = new Counts()
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
    { logger, post = realPost, timers = steadyTimers(), pageOf = () => null }: WebhookPorts,
  ): Promise<Webhooks> {
    const endpoints = readEndpoints(folder.webhooks)
    // The first start makes one, so a folder with commands has lost it.
    if (endpoints.length > 0 && registry.sequence > 0 && !existsSync(folder.outbox))
      logger.warn(`${folder.outbox} is gone: what waited to be delivered to webhooks is lost`)
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

/** Their time is never set back: what waits would wait longer by as much. */
function steadyTimers(): Timers {
  const clock = new SystemClock()
  return { ...systemTimers, now: () => clock.now() }
}

type WebhookParts = {
  readonly outbox: OutboxFile
  readonly registry: QueueRegistry
  /** The file of the endpoints. */
  readonly path: string
}

// Adds the messages of commands that a crash kept from the outbox.

type AddingParts = {
  readonly outbox: Outbox
  readonly endpoints: readonly Endpoint[]
  readonly now: Millis
  readonly pageOf: PageOf
}

type MissedParts = AddingParts & {
  readonly registry: QueueRegistry
  readonly logger: Pick<Logger, 'info' | 'error'>
}

/** Adds the messages of commands that the outbox has not processed. */
export async function addMissed(folder: DataFolder, parts: MissedParts): Promise<void> {
  const { outbox, endpoints, registry, logger } = parts
  const { through, deliveryQueues } = outbox.state
  const isKnown = endpoints.some(({ id }) => deliveryQueues.has(id))
  if (!isKnown || through === registry.sequence) return
  let count = 0
  await catchUp(folder, through, (applied) => {
    count += addMessagesOf(applied, parts)
  }).catch((error: unknown) => {
    logger.error({ err: error }, 'messages of commands before the last stop may be missing')
  })
  logger.info(
    { after: through, messages: count },
    'added messages of commands before the last stop',
  )
  outbox.reach(registry.sequence)
}

/**
 * Adds what is not there yet, for the endpoints that the outbox knows and that are not gone. Returns the number of
 * messages.
 */
export function addMessagesOf(
  applied: AppliedCommand,
  { outbox, endpoints, now, pageOf }: AddingParts,
): number {
  const { deliveryQueues, origin } = outbox.state
  let count = 0
  for (const message of messagesOf(applied, origin, pageOf)) {
    const to = endpoints
      .filter(
        (each) => deliveryQueues.get(each.id)?.isGone === false && isSubscribedTo(each, message),
      )
      .map(({ id }) => id)
    const isThere = to.some((id) => deliveryQueues.get(id)?.deliveries.has(message.id))
    if (to.length === 0 || isThere) continue
    outbox.add({ line: 'message', message, to, since: now })
    count++
  }
  return count
}

/**
 * Replays the log from an earlier snapshot, and reports all commands after the entry `after`. Throws if
 * the log no longer contains them.
 */
async function catchUp(
  folder: DataFolder,
  after: number,
  onCommand: (applied: AppliedCommand) => void,
): Promise<void> {
  const { segment: from, state } = await snapshotBefore(folder, after)
  const registry = new QueueRegistry(noWakes, state)
  for (const { segment, end, isLast } of linkedSegments(folder, from)) {
    const path = segmentFile(folder, segment)
    readSegmentFile(path, { segment, after: registry.sequence, isLast, end }, (entry, header) => {
      if (header.epoch !== undefined) registry.beginEpoch(header.epoch)
      const outcome = registry.apply(entry)
      if (entry.sequence <= after || !outcome.accepted) return
      onCommand(appliedOf(entry, outcome, registry.epoch))
    })
  }
}

/** The latest snapshot that contains no command after the entry `after`. */
async function snapshotBefore(folder: DataFolder, after: number): Promise<Snapshot> {
  const beginnings = segmentsIn(folder)
    .map((segment) => beginningFile(folder, segment))
    .filter(existsSync)
  for (const path of [folder.snapshot, ...beginnings.reverse()]) {
    const snapshot = await new SnapshotFile(path).read()
    if (snapshot && snapshot.state.sequence <= after) return snapshot
  }
  const isComplete = existsSync(segmentFile(folder, firstSegment))
  if (isComplete) return { segment: firstSegment, state: new QueueRegistry(noWakes).state() }
  throw new Error(`the command log no longer contains entry ${after}`)
}
