/** When a failed delivery is tried again, and when it is given up. */

import type { Millis } from '../../engine/index.ts'
import type { Delivery } from './outbox.ts'

const second: Millis = 1_000
const minute: Millis = 60 * second
const hour: Millis = 60 * minute

/** The time from the first attempt to the second. */
const shortestWaitMs: Millis = 5 * second
/** The longest time between two attempts: so long the end of an outage may stay unnoticed. */
export const longestWaitMs: Millis = 5 * minute
/** A message that waits longer is given up, but only after this many attempts. */
export const patienceMs: Millis = 28 * hour
export const fewestAttempts = 8

/** Each wait is twice as long as the one before, up to the longest. */
export function waitAfter(attempts: number): Millis {
  return Math.min(longestWaitMs, shortestWaitMs * 2 ** (attempts - 1))
}

/**
 * The earliest time of the next attempt once the endpoint is known to respond again. Two attempts
 * with one message are never closer than the shortest wait, so a message that alone is refused does
 * not follow every other delivery.
 */
export function soonestOf({ attempts, notBefore }: Delivery): Millis {
  return attempts === 0 ? 0 : notBefore - waitAfter(attempts) + shortestWaitMs
}

/** A message is given up if it was tried often enough and waits for too long. */
export function isHopeless({ attempts, since }: Delivery, now: Millis): boolean {
  return attempts >= fewestAttempts && isTooOld(since, now)
}

export function isTooOld(since: Millis | null, now: Millis): boolean {
  return since !== null && now - since >= patienceMs
}
