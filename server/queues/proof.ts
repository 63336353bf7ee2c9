/**
 * The proof of a log entry: a checksum of what its command decided, as far as the outside was told:
 * runs that start or are cancelled, and moves of pull requests. A replay that decides otherwise,
 * because the rules of the engine have changed, is noticed at that entry.
 */

import { crc32 } from 'node:zlib'
import type { LogEntry, Event } from '../../engine/index.ts'

export function proofOf(events: readonly Event[]): string {
  let crc = 0
  for (const event of events) {
    const text = decisionIn(event)
    if (text !== null) crc = crc32(text, crc)
  }
  return crc.toString(16).padStart(8, '0')
}

/** True if the entry has no proof, as in version 1, or these events have the proof it recorded. */
export function isProven({ proof }: LogEntry, events: readonly Event[]): boolean {
  return proof === undefined || proof === proofOf(events)
}

function decisionIn(event: Event): string | null {
  if (event.type === 'pullRequestMoved') return `move ${event.number} ${event.to};`
  if (event.type === 'testRunCancelled') return `cancel ${event.testRun};`
  if (event.type !== 'testRunStarted') return null
  const { id, base, tested } = event.run
  return `run ${id} ${base.join(' ')} > ${tested.join(' ')};`
}
