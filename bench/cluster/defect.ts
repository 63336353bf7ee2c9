/** A planted defect, and where it can be planted. */

import type { LogDatabase } from '../../server/replica/log-database.ts'
import type { Replica, Wakeable } from '../../server/replica/replica.ts'
import type { OutboxDatabase } from '../../server/webhooks/outbox-database.ts'
import type { SenderPorts } from '../../server/webhooks/sender.ts'
import type { Weakness } from './database.ts'
import type { WorkerPorts } from './worker.ts'

export type Defect = {
  readonly name: string
  /** The sentence that no longer holds. */
  readonly sentence: string
  readonly weakness?: Weakness
  readonly between?: (database: LogDatabase, server: number) => LogDatabase
  readonly betweenOutbox?: (database: OutboxDatabase) => OutboxDatabase
  readonly sending?: (ports: SenderPorts) => SenderPorts
  readonly working?: (ports: WorkerPorts) => WorkerPorts
  readonly waking?: (replica: Replica) => Wakeable
  readonly hasNoSweep?: true
}
