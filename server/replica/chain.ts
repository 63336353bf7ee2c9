/**
 * The chain over a log: each entry carries a hash of the one before, and of itself with the proof of what it decided.
 *
 * It notices what a log with several writers can suffer and a folder cannot: a tail that was lost in a
 * failover, two versions of the engine beside each other, and an engine that is not deterministic.
 */

import { createHash } from 'node:crypto'

const digits = 32

/** The chain after an entry, of its JSON, which contains the proof of its events. */
export function chainAfter(before: string, text: string): string {
  return createHash('sha256').update(`${before}\n${text}`).digest('hex').slice(0, digits)
}
