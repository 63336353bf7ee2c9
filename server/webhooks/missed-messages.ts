/** Adds the messages of commands that a crash kept from the outbox. */

import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { DataFolder } from '../store/data-folder.ts'
import { catchUp } from './catch-up.ts'
import { isSubscribedTo, type Endpoint } from './endpoints.ts'
import { messagesOf, type PageOf } from './messages.ts'
import type { Outbox } from './outbox.ts'

type MissedParts = {
  readonly outbox: Outbox
  readonly registry: QueueRegistry
  readonly endpoints: readonly Endpoint[]
  readonly logger: Logger
  readonly now: Millis
  readonly pageOf: PageOf
}

/** Adds the messages of commands that the outbox has not processed. */
export async function addMissed(
  folder: DataFolder,
  { outbox, endpoints, registry, logger, now, pageOf }: MissedParts,
): Promise<void> {
  const { through, deliveryQueues, origin } = outbox.state
  const known = endpoints.filter(({ id }) => deliveryQueues.has(id))
  if (known.length === 0 || through === registry.sequence) return
  let count = 0
  await catchUp(folder, through, (applied) => {
    for (const message of messagesOf(applied, origin, pageOf)) {
      const to = known.filter((endpoint) => isSubscribedTo(endpoint, message)).map(({ id }) => id)
      const isThere = to.some((id) => deliveryQueues.get(id)?.deliveries.has(message.id))
      if (to.length === 0 || isThere) continue
      outbox.add({ line: 'message', message, to, since: now })
      count++
    }
  }).catch((error: unknown) => {
    logger.error({ err: error }, 'messages of commands before the last stop may be missing')
  })
  logger.info(
    { after: through, messages: count },
    'added messages of commands before the last stop',
  )
  outbox.reach(registry.sequence)
}
