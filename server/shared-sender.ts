/** The sender of webhooks of a server that shares its log with others. */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import type { PostgresLog } from './postgres/postgres-log.ts'
import { PostgresOutbox, webhooksTerm } from './postgres/postgres-outbox.ts'
import { sharedTerms } from './postgres/shared-terms.ts'
import { Follower } from './replica/follower.ts'
import { post } from './webhooks/post.ts'
import { Sender, type SenderPorts } from './webhooks/sender.ts'
import { systemTimers } from './timing/timers.ts'

/** Delivers the webhooks while no other server does. */
export function senderOf(
  pool: Pool,
  log: PostgresLog,
  ports: Pick<SenderPorts, 'logger' | 'isAble' | 'pageOf'>,
): Sender {
  return new Sender({
    ...ports,
    name: `${hostname()} ${process.pid} ${randomUUID()}`,
    database: new PostgresOutbox(pool),
    terms: sharedTerms(pool, webhooksTerm),
    follow: (after) => Follower.open(log, after),
    post,
    clock: () => performance.now(),
    timers: systemTimers,
  })
}
