/** What the page shows about a queue as a whole. */

import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Audience } from './audience.ts'
import type { QueueHead } from './frame.ts'
import type { StateChanges } from './state-changes.ts'
import type { Hosting } from '../hosting/hosting.ts'

export type HeadParts = { readonly changes: StateChanges; readonly hosting: Hosting }

export function queueHead(
  { ref, ids, name, engine }: ManagedQueue,
  { changes, hosting }: HeadParts,
  audience: Audience,
): QueueHead {
  const { state, configuration, slots, wishedMode } = engine.queue
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes, concurrency } = configuration
  const change = changes.of(name)
  const isMember = audience === 'member'
  return {
    id: ids.start,
    host: ref.host,
    owner: ref.owner,
    name: ref.name,
    targetBranch: ref.targetBranch,
    state,
    stateSince: change ? new Date(change.at).toISOString() : null,
    stateBy: isMember ? (change?.by ?? null) : null,
    mode: wishedMode ?? configuration.mode,
    batching: batch ? { size: batchingMinSize, waitMinutes: batchingMaxWaitTimeMinutes } : null,
    concurrency,
    slotsUsed: slots.main,
    // Faults can name branches and paths.
    faults: isMember ? (hosting.of(name)?.status().faults ?? []) : [],
  }
}
