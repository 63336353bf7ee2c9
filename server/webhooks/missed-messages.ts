/** Adds the messages of commands that a crash kept from the outbox. */

import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import { queueRefFrom } from '../identity/queue-ref.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { type DataFolder, beginningFile, segmentFile, segmentsIn } from '../store/data-folder.ts'
import { linkedSegments } from '../store/linked-segments.ts'
import { firstSegment } from '../store/recover.ts'
import { readSegmentFile } from '../store/segment.ts'
import { type Snapshot, SnapshotFile } from '../store/snapshot-file.ts'
import { type Endpoint, isSubscribedTo } from './endpoints.ts'
import { type PageOf, messagesOf } from './message.ts'
import type { Outbox } from './outbox.ts'

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

/** Adds what is not there yet, for the endpoints that the outbox knows. Returns the number of messages. */
export function addMessagesOf(
  applied: AppliedCommand,
  { outbox, endpoints, now, pageOf }: AddingParts,
): number {
  const { deliveryQueues, origin } = outbox.state
  let count = 0
  for (const message of messagesOf(applied, origin, pageOf)) {
    const to = endpoints
      .filter((each) => deliveryQueues.has(each.id) && isSubscribedTo(each, message))
      .map(({ id }) => id)
    const isThere = to.some((id) => deliveryQueues.get(id)?.deliveries.has(message.id))
    if (to.length === 0 || isThere) continue
    outbox.add({ line: 'message', message, to, since: now })
    count++
  }
  return count
}

const noWakes = { wakeAt: (): void => undefined }

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
      const { sequence, at, command, by } = entry
      const queue = entry.queue === null ? null : queueRefFrom(entry.queue)
      const { epoch } = registry
      const { events, notices } = outcome
      onCommand({ sequence, at, epoch, queue, command, events, notices, ...(by && { by }) })
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
