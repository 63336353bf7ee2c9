/**
 * Decides which failures in a bisection get a second run before a member is convicted.
 *
 * Rules: E-78, E-80, E-81. A composition gets at most one confirmation.
 */

import type { BisectionVerdict, QueueView } from '../model/state.ts'
import { testKey } from '../model/tests.ts'

/** A queue with a larger share of contradicted verdicts counts as flaky. */
const contradictedShareOfFlakyQueue = 0.01

/**
 * True if all failed tests are known flakes and the failure is not confirmed: it gets another run.
 */
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
 * True if one more run must confirm the failure before it convicts a member. This is so if the
 * failure is only a timeout or exhausted retries, if it has been contradicted (by an earlier run of
 * the same composition), or, in a flaky queue, if it is only the first run of the batch.
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

/** True if more than 1 % of the last 100 verdicts of the queue were contradicted. */
function isFlakyQueue(queue: QueueView): boolean {
  const contradicted = queue.verdicts.filter((verdict) => verdict.contradicted).length
  return contradicted > contradictedShareOfFlakyQueue * queue.verdicts.length
}
