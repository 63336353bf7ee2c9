/**
 * How many pull requests a batch that starts now may hold.
 *
 * Rules: E-30, E-225.
 */

import { targetBatchSize } from './configuration.ts'
import { failureRate } from './failure-rate.ts'
import type { QueueView } from './state.ts'

/** With batches that grow, a batch is at least a pair, so that it saves a run if it passes. */
const pair = 2

/**
 * Returns the size at which a batch is full. With batches that grow it is what every main slot gets of
 * those that wait, as long as at most half a failure is expected in it.
 */
export function batchSize(queue: QueueView): number {
  const { configuration, order } = queue
  const target = targetBatchSize(configuration)
  if (!configuration.batchesGrow || target <= pair) return target
  const waiting = order.pending - order.alone
  const ofEachSlot = Math.floor(waiting / configuration.concurrency)
  const worthwhile = Math.floor(1 / (2 * failureRate(queue)))
  return Math.max(pair, Math.min(target, ofEachSlot, worthwhile))
}
