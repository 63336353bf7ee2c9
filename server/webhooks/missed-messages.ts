/** Adds the messages of commands that a crash kept from the outbox. */

import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { DataFolder } from '../store/data-folder.ts'
import { catchUp } from './catch-up.ts'
import { isSubscribedTo, type Endpoint } from './endpoints.ts'
import { messagesOf, type PageOf } from './messages.ts'
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
