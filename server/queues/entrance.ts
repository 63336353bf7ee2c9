/**
 * The way to the queues: "run this when you are up to date, and settle when it is durable". The data folder
 * is always up to date; a server that shares its log with others first reads what they have appended.
 */

import { messageOf } from '../terminal/text.ts'
import type { QueueManager } from './queue-manager.ts'

export type Kind = 'read' | 'write'

/** Rejects with `StoreUnavailable` if it is not known whether the work was done. */
export type Enter = <T>(kind: Kind, work: (manager: QueueManager) => T | Promise<T>) => Promise<T>

/** Nothing is known of what was asked: ask again. It becomes a response 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor(cause: unknown) {
    const why = messageOf(cause)
    super(`the store cannot be reached: ${why}`, { cause })
  }
}

/** The entrance of a data folder, of which this process is the only writer. */
export function entranceOf(manager: QueueManager): Enter {
  return async (_kind, work) => {
    const worked = work(manager)
    // Most work is not a promise, and needs no turn of its own.
    const result = worked instanceof Promise ? await worked : worked
    // Nobody, also no reader, may see what is not on disk yet.
    const durable = manager.durable()
    if (durable) await durable
    return result
  }
}
