/**
 * Shifts a recorded state in time: recorded times count from 1970, simulated times from the start.
 */

import type { Millis, Queue } from '../../engine/index.ts'

/** The fields of a queue's state that hold an instant, at any depth. */
const instants = new Set([
  'now',
  'wakeAt',
  'nextDeadline',
  'stateChangedAt',
  'submittedAt',
  'pendingSince',
  'startedAt',
  'deadline',
  'notBefore',
  'heldUntil',
])

/** Returns a copy of the state with every instant earlier by `by` milliseconds. */
export function shiftedQueue(queue: Queue, by: Millis): Queue {
  const shifted: Queue = JSON.parse(
    JSON.stringify(queue, (key, value: unknown) =>
      instants.has(key) && typeof value === 'number' ? value - by : value,
    ),
  )
  // The keys of this list are instants as well.
  const { arrivals } = shifted.order
  arrivals.keys = arrivals.keys.map((instant) => instant - by)
  return shifted
}
