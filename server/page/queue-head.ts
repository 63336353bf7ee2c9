/** What the page shows about a queue as a whole. */

import type { Hosting } from '../hosting/hosting.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { QueueHead } from './frame.ts'
import type { PublicHead } from './public-view.ts'

export type HeadParts = { readonly changes: StateChanges; readonly hosting: Hosting }

export function memberHead(queue: ManagedQueue, parts: HeadParts): QueueHead {
  const { changes, hosting } = parts
  return {
    ...publicHead(queue, parts),
    stateBy: changes.of(queue.name)?.by ?? null,
    faults: hosting.of(queue.name)?.status().faults ?? [],
    waysIn: waysIn(queue, hosting),
  }
}

export function publicHead(
  { ref, ids, name, engine }: ManagedQueue,
  { changes }: HeadParts,
): PublicHead {
  const { state, configuration, slots, wishedMode } = engine.queue
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes, concurrency } = configuration
  const change = changes.of(name)
  return {
    id: ids.start,
    host: ref.host,
    owner: ref.owner,
    name: ref.name,
    targetBranch: ref.targetBranch,
    state,
    stateSince: change ? new Date(change.at).toISOString() : null,
    stateBy: null,
    mode: wishedMode ?? configuration.mode,
    batching: batch ? { size: batchingMinSize, waitMinutes: batchingMaxWaitTimeMinutes } : null,
    concurrency,
    slotsUsed: slots.main,
    faults: [],
    waysIn: [],
  }
}

function waysIn({ name, engine }: ManagedQueue, hosting: Hosting): string[] {
  const { commandsEnabled, labelCommandsEnabled, enqueueingLabel } = engine.queue.configuration
  const hosted = hosting.of(name)
  if (!hosted) return []
  if (hosted.pageOf(1) === null) return ['a push to a branch below queue/']
  return [
    commandsEnabled ? 'a comment /merge on it' : [],
    labelCommandsEnabled ? `the label ${enqueueingLabel}` : [],
  ].flat()
}

type StateChange = { readonly at: number; readonly by: string | null }

/** Since when each queue is in its state, and who set it: noted while the server runs. */
export class StateChanges {
  readonly #changes = new Map<string, StateChange>()

  readonly onCommand = ({ queue, at, events, by }: AppliedCommand): void => {
    if (!queue || !events.some(({ type }) => type === 'queueStateChanged')) return
    this.#changes.set(nameOfQueue(queue), { at, by: by?.token ?? null })
  }

  /** Null if the state has not changed since the start of the server. */
  of(queue: string): StateChange | null {
    return this.#changes.get(queue) ?? null
  }
}
