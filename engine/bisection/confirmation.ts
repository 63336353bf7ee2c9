/**
 * Decides which failures in a bisection get a second run before a member is convicted.
 *
 * Rules: E-78, E-80, E-81, E-141, E-142, E-202. A composition gets at most one confirmation, and
 * further runs while the policy is not convinced.
 */

import type { BisectionVerdict, BisectionView, QueueView, TestName } from '../model/state.ts'
import { type CompositionKey, testKey } from '../model/ids.ts'
import { isKnownToFlake } from '../model/quarantine.ts'
import { chargeBefore, isConvinced, looksTwice } from '../model/policy.ts'

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
    verdict.failedTests.every((test) => isKnownFlake(queue, test))
  )
}

/**
 * True if one more run must confirm the failure before it convicts a member, also if it has to wait
 * for a slot. This is so if the failure is only a timeout or exhausted retries, if it has been
 * contradicted (by an earlier run of the same composition), or if it is only the first run of the
 * batch, and the queue is flaky or one of the failed tests is.
 */
function needsConfirmation(queue: QueueView, verdict: BisectionVerdict): boolean {
  if (verdict.confirmed) return false
  if (verdict.reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return true
  if (isContradicted(queue, verdict)) return true
  if (!verdict.ofBatch) return false
  return isFlakyQueue(queue) || verdict.failedTests.some((test) => isKnownFlake(queue, test))
}

/** A failed composition of a bisection. */
export type Failure = {
  readonly composition: CompositionKey
  readonly verdict: BisectionVerdict
}

/**
 * True if the failure must be confirmed before it convicts a member, for whatever reason, also if
 * the run has to wait for a slot.
 */
export function isDoubtful(
  queue: QueueView,
  bisection: BisectionView,
  { composition, verdict }: Failure,
): boolean {
  if (isOnlyKnownFlakes(queue, verdict) || needsConfirmation(queue, verdict)) return true
  return composition === bisection.prefixes[0] && isUnsureOfFirst(queue, bisection)
}

/**
 * True if the first open member has failed the tests, and needs another run before a conviction. In a
 * bisection of one member there is always another run, unless a run before it speaks against the member.
 */
function isUnsureOfFirst(
  queue: QueueView,
  { size, others, prefixes, verdicts }: BisectionView,
): boolean {
  const [own, ...longer] = prefixes.map((composition) => verdicts[composition])
  if (own?.reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return false
  const before = chargeBefore(others)
  if (before) return !isConvinced(queue, { failures: own.failures, withOthers: before })
  if (size === 1 && !own.confirmed) return true
  const at = longer.findIndex((verdict) => verdict?.outcome === 'failed')
  const failures = longer[at]?.failures
  const withOthers = failures === undefined ? null : { others: at + 1, failures }
  return !isConvinced(queue, { failures: own.failures, withOthers })
}

/**
 * True if the failure is worth one more run in a slot that nobody else wants: the policy looks twice, it is
 * that of the batch, it has not been confirmed, and no other run of the bisection has failed.
 */
export function isWorthASecondLook(
  queue: QueueView,
  { verdicts }: BisectionView,
  verdict: BisectionVerdict,
): boolean {
  if (!looksTwice(queue) || !isUnconfirmedFailureOfBatch(verdict)) return false
  return Object.values(verdicts).filter(({ outcome }) => outcome === 'failed').length === 1
}

/** True for the failed run of the batch until it has been made a second time. */
export function isUnconfirmedFailureOfBatch({ ofBatch, confirmed }: BisectionVerdict): boolean {
  return ofBatch && !confirmed
}

function isKnownFlake(queue: QueueView, test: TestName): boolean {
  return isKnownToFlake(queue, testKey(test))
}

function isContradicted(queue: QueueView, { run }: BisectionVerdict): boolean {
  return queue.verdicts.some((verdict) => verdict.run === run.id && verdict.contradicted)
}

/** True if more than 1 % of the last 100 verdicts of the queue were contradicted. */
function isFlakyQueue(queue: QueueView): boolean {
  const contradicted = queue.verdicts.filter((verdict) => verdict.contradicted).length
  return contradicted > contradictedShareOfFlakyQueue * queue.verdicts.length
}
