/**
 * Conviction by odds: how much more probable it is that a pull request breaks the tests than that its
 * failures are flakes.
 *
 * Rules: E-200 to E-204.
 */

import type { RunFailureReason } from '../model/pull-request-state.ts'
import { failureRate } from '../model/failure-rate.ts'
import { flakeRate } from '../model/flake-rate.ts'
import type { BisectionView, PullRequestNumber, QueueView } from '../model/state.ts'
import { urgentPriority } from '../model/pending-order.ts'

/**
 * Nobody is FAILED by tests before the odds are at least this high. The last digits depend on the
 * order of the arithmetic, so odds that are equal up to these count as high enough.
 */
const leastOdds = 10 - 1e-9

/** After so many failed runs of its prefix a member is convicted whatever the odds are. */
const mostFailures = 5

/** What is known against a pull request, beside the failed runs on exactly the same base. */
type Charge = {
  /** How often the tests failed with it as the last pull request. */
  readonly failures: number
  /** The shortest composition that failed and holds others behind it; null for none. */
  readonly withOthers: { readonly others: number; readonly failures: number } | null
}

/**
 * True if the failure of this group is looked at once more in a bisection of one member: a single
 * pull request whose failed tests do not convict it yet. An urgent one is not, because it would lose
 * its position.
 */
export function isUnsureOfSingle(
  queue: QueueView,
  number: PullRequestNumber,
  reason: RunFailureReason,
): boolean {
  if (reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return false
  if (queue.pullRequests[number]?.priority === urgentPriority) return false
  return isUnsure(queue, { failures: 1, withOthers: null })
}

/**
 * True if the first open member has failed the tests, and needs another run before a conviction. In a
 * bisection of one member there is always another run.
 */
export function isUnsureOfFirst(
  queue: QueueView,
  { size, prefixes, verdicts }: Pick<BisectionView, 'size' | 'prefixes' | 'verdicts'>,
): boolean {
  const [own, ...longer] = prefixes.map((composition) => verdicts[composition])
  if (own?.reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return false
  if (size === 1 && !own.confirmed) return true
  const at = longer.findIndex((verdict) => verdict?.outcome === 'failed')
  const failures = longer[at]?.failures
  const withOthers = failures === undefined ? null : { others: at + 1, failures }
  return isUnsure(queue, { failures: own.failures, withOthers })
}

function isUnsure(queue: QueueView, charge: Charge): boolean {
  if (!queue.configuration.convictionByOdds || charge.failures >= mostFailures) return false
  return oddsOf(queue, charge) < leastOdds
}

/** The odds before any run, divided by the chance that all of this fails also without its fault. */
function oddsOf(queue: QueueView, { failures, withOthers }: Charge): number {
  const rate = failureRate(queue)
  const flakes = flakeRate(queue)
  let chance = flakes ** failures
  if (withOthers) {
    const passes = (1 - rate) ** withOthers.others
    chance *= 1 - (1 - flakes ** withOthers.failures) * passes
  }
  return rate / (1 - rate) / chance
}
