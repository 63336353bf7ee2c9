/**
 * Runs an operation on the queues. What it must find out beside them, such as a head in a repository, comes
 * between two entries: a shared log waits for nobody who looks at a repository.
 */

import type { QueueManager } from '../queues/queue-manager.ts'
import type { Enter, Kind } from '../queues/entrance.ts'
import type { OperationOutcome } from './index.ts'
import type { Aside, Context } from './operation.ts'

type Finished = Exclude<OperationOutcome, Aside>

export type PerformPorts = {
  readonly enter: Enter
  readonly kind: Kind
  readonly contextOf: (manager: QueueManager) => Context
}

/** Rejects with `StoreUnavailable` if it is not known whether it was done. */
export async function perform(
  operation: (context: Context) => OperationOutcome | Promise<OperationOutcome>,
  { enter, kind, contextOf }: PerformPorts,
): Promise<Finished> {
  let next = operation
  for (;;) {
    const step = next
    const outcome = await enter(kind, (manager) => step(contextOf(manager)))
    if (!('aside' in outcome)) return outcome
    next = await outcome.aside()
  }
}
