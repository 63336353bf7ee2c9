/**
 * Which failures in a bisection deserve a second run before anybody is convicted.
 *
 * Source: spec "Bisection" (cache): one confirmation per composition, never more.
 */

import type { BisectionVerdict, QueueView } from '../model/state.ts'
import { testKey } from '../model/tests.ts'

/** Above this share of contradicted verdicts a queue counts as flaky. */
const contradictedShareOfFlakyQueue = 0.01

/** A failure in which only tests known to flake failed is run once more, wherever it stands. */
export function isOnlyKnownFlakes(
  queue: QueueView,
  verdict: Pick<BisectionVerdict, 'failedTests' | 'confirmed'>,
): boolean {
  return (
    !verdict.confirmed &&
    verdict.failedTests.length > 0 &&
    verdict.failedTests.every((test) => queue.flakyTests[testKey(test)] === true)
  )
}

/**
 * A conviction is confirmed by one run when it rests on a timeout or exhausted retries alone, on
 * a failure that was contradicted by a run with a member that has left since, or, in a flaky
 * queue, on nothing but the batch's first run.
 */
export function needsConfirmation(queue: QueueView, verdict: BisectionVerdict): boolean {
  if (verdict.confirmed) return false
  if (verdict.reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return true
  if (isContradicted(queue, verdict)) return true
  return verdict.ofBatch && isFlakyQueue(queue)
}

function isContradicted(queue: QueueView, { run }: BisectionVerdict): boolean {
  return queue.verdicts.some((verdict) => verdict.run === run.id && verdict.contradicted)
}

/** More than 1 % of the queue's last hundred verdicts were contradicted. */
function isFlakyQueue(queue: QueueView): boolean {
  const contradicted = queue.verdicts.filter((verdict) => verdict.contradicted).length
  return contradicted > contradictedShareOfFlakyQueue * queue.verdicts.length
}
