/** Times of a recording count from 1970, those of a simulation from its start. */

import type { Millis, Queue } from '../../engine/index.ts'

/** The fields of a queue's state that are instants, wherever they stand. */
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
])

/** The same state, as if everything in it had happened that much earlier. */
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
