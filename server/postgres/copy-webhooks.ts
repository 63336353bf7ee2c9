/** Copies webhooks and what waits for them between a data folder and a store, while no server runs on either. */

import type { Pool } from 'pg'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { Follower } from '../replica/follower.ts'
import type { DataFolder } from '../store/data-folder.ts'
import { readEndpoints, writeEndpoints } from '../webhooks/endpoints.ts'
import { addMessagesOf, addMissed } from '../webhooks/missed-messages.ts'
import type { Position } from '../webhooks/outbox-database.ts'
import { readOutbox, writeOutbox } from '../webhooks/outbox-file.ts'
import type { Outbox, OutboxState } from '../webhooks/outbox.ts'
import { keptLinesOf, stateOf } from '../webhooks/shared-outbox.ts'
import type { PostgresLog } from './postgres-log.ts'
import { PostgresOutbox, sharedEndpoints, webhooksTerm } from './postgres-outbox.ts'
import { changeSetting, readSetting } from './shared-setting.ts'
import { sharedTerms } from './shared-terms.ts'
import { StoreFault } from './store-fault.ts'

/** Its name as a sender. */
const sender = 'mergeyard copy'

/** So many lines are written at once. */
const pageLines = 5_000

/** The store has its log already, which ends at this position. */
export async function copyWebhooksIn(
  folder: DataFolder,
  pool: Pool,
  { registry, position }: { readonly registry: QueueRegistry; readonly position: Position },
): Promise<void> {
  const endpoints = readEndpoints(folder.webhooks)
  const outbox = inMemory(readOutbox(folder.outbox))
  await addMissed(folder, { outbox, endpoints, registry, logger, now: Date.now(), pageOf })
  const { origin } = outbox.state
  if (origin !== '') await new PostgresOutbox(pool).setOrigin(origin)
  await write(pool, position, outbox.state)
  await changeSetting(pool, sharedEndpoints, (others) => [...others, ...endpoints])
}

async function write(pool: Pool, position: Position, state: OutboxState): Promise<void> {
  const store = new PostgresOutbox(pool)
  const terms = sharedTerms(pool, webhooksTerm)
  if (!(await terms.take(sender)))
    throw new StoreFault('a server delivers webhooks from this store: stop it first')
  const all = keptLinesOf(state)
  let { revision } = await store.read()
  for (let from = 0; from === 0 || from < all.length; from += pageLines) {
    const lines = all.slice(from, from + pageLines)
    if (!(await store.write(sender, { revision: revision++, position, lines, settled: [] })))
      throw new StoreFault('somebody else writes to this store: use a new database')
  }
  await terms.giveBack(sender)
}

export async function copyWebhooksOut(
  pool: Pool,
  log: PostgresLog,
  folder: DataFolder,
): Promise<void> {
  const endpoints = await readSetting(pool, sharedEndpoints)
  const outbox = inMemory(stateOf(await new PostgresOutbox(pool).read()))
  const { deliveryQueues, through } = outbox.state
  // What nobody has read yet is told as it would be in the store, with the same ids.
  const follower = await Follower.open(log, deliveryQueues.size === 0 ? null : through)
  for (const applied of await follower.next())
    addMessagesOf(applied, { outbox, endpoints, now: Date.now(), pageOf })
  outbox.reach(follower.position.sequence)
  await writeEndpoints(folder.webhooks, endpoints)
  await writeOutbox(folder.outbox, outbox.state)
}

const inMemory = (state: OutboxState): Outbox => ({
  state,
  add: (line) => state.apply(line),
  reach: (sequence) => state.apply({ line: 'through', sequence }),
})

/** Servers that share a log have no page. */
const pageOf = (): null => null

/** A copy that would lose messages fails. */
const logger = {
  info: (): void => undefined,
  error: ({ err }: { readonly err: unknown }): never => {
    throw new StoreFault('messages of the last commands before the stop cannot be made', {
      cause: err,
    })
  },
}
