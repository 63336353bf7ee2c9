/**
 * The proof of a log entry: a checksum of the events that its command caused. A replay that causes
 * other events, because the rules of the engine have changed, is noticed at that entry.
 */

import { crc32 } from 'node:zlib'
import type { Event, LogEntry } from '../../engine/index.ts'

/** One command can move every pull request of a queue; the first events prove enough. */
const mostEvents = 1_000

export function proofOf(events: readonly Event[]): string {
  const text = JSON.stringify(events.length > mostEvents ? events.slice(0, mostEvents) : events)
  return crc32(`${events.length} ${text}`).toString(16).padStart(8, '0')
}

/** True if the entry has no proof, as in version 1, or these are the events that it recorded. */
export function isProven({ proof }: LogEntry, events: readonly Event[]): boolean {
  return proof === undefined || proof === proofOf(events)
}
