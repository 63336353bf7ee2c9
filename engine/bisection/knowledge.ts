/**
 * What a bisection knows: which prefixes of its open members pass or fail on top of the pinned tip
 * and the proven members.
 *
 * Verdicts are looked up by composition. So when a member leaves or is convicted, the verdicts that
 * contained it no longer match, without any bookkeeping, and no known composition is run again.
 * Rules: E-73, E-78, E-141.
 */

import { extend, type CompositionKey } from '../model/ids.ts'
import { memberContents } from '../model/content.ts'
import type { BisectionView, PullRequestNumber, QueueView, TestRun } from '../model/state.ts'
import { testsTip } from '../model/policy.ts'
import { areInForce } from '../model/quarantine.ts'
import { isSound, pinnedTip, provenAfter } from '../model/tip-test.ts'
import { isDoubtful, isOnlyKnownFlakes, type Failure } from './confirmation.ts'

export type Knowledge = {
  /** The longest prefix of the open members that is known to pass; null for none. */
  readonly passing: { readonly length: number; readonly run: TestRun } | null
  /** The shortest prefix longer than that one that is known to fail; null for none. */
  readonly failing: KnownFailure | null
}

export type KnownFailure = Failure & { readonly length: number }

/** The members below every further run of the bisection: proven and not merged yet. */
export function baseOf(bisection: BisectionView): PullRequestNumber[] {
  return [...bisection.handedOver, ...bisection.proven]
}

/** The key of the pinned tip, the proven members and `members` on top. */
export function compositionOf(
  bisection: BisectionView,
  members: readonly PullRequestNumber[],
): CompositionKey {
  const numbers = [...baseOf(bisection), ...members]
  return extend(bisection.composition, memberContents(bisection, numbers))
}

/** Reads the verdicts of the prefixes of the open members. */
export function knowledgeOf(bisection: BisectionView): Knowledge {
  let passing: Knowledge['passing'] = null
  let failing: KnownFailure | null = null
  let length = 0
  for (const composition of bisection.prefixes) {
    length++
    const verdict = bisection.verdicts[composition]
    if (verdict?.outcome === 'passed') {
      passing = { length, run: verdict.run }
      failing = null
    } else if (verdict && !failing) {
      failing = { length, composition, verdict }
    }
  }
  return { passing, failing }
}

/**
 * True if the search waits: for a run in progress that can still change what is known, or for one to
 * be repeated. The search goes on beside a second look at the failed batch, until its result decides.
 */
export function isWaitingForRuns(queue: QueueView, bisection: BisectionView): boolean {
  if (bisection.retries.length > 0) return true
  for (const id of bisection.underWay) {
    const run = queue.testRuns[id]
    if (!run || !matters(bisection, run)) continue
    if (!(run.composition in bisection.verdicts)) return true
    if (isDecidedBy(queue, bisection, run)) return true
  }
  return false
}

/** True if the next step depends on this second run of a composition that has failed once. */
function isDecidedBy(queue: QueueView, bisection: BisectionView, run: TestRun): boolean {
  const { failing } = knowledgeOf(bisection)
  if (failing?.composition !== run.composition) return false
  return failing.length === 1 || isOnlyKnownFlakes(queue, failing.verdict)
}

/**
 * True if the run can still change what is known: it tests a prefix of the open members. Members that
 * it tests may have been proven meanwhile. After a conviction a second look tests no prefix.
 */
export function matters(bisection: BisectionView, run: TestRun): boolean {
  return bisection.prefixes.includes(run.composition)
}

/** True if the current submission of the pull request is a member: open, proven or handed over. */
export function isMember(
  queue: QueueView,
  bisection: BisectionView,
  number: PullRequestNumber,
): boolean {
  if (queue.pullRequests[number]?.submission !== bisection.submissions[number]) return false
  return (
    bisection.open.includes(number) ||
    bisection.proven.includes(number) ||
    bisection.handedOver.includes(number)
  )
}

/**
 * True if a member would be convicted although nothing has passed on which it fails, and the tip by itself
 * is not known to pass either. Rules: E-230, E-236, E-278.
 */
export function isUnexplained(
  queue: QueueView,
  bisection: BisectionView,
  { verdict: { reason, run } }: Failure,
): boolean {
  if (!testsTip(queue)) return false
  const after = provenAfter(reason, run.id)
  const without = bisection.verdicts[compositionOf(bisection, [])]
  const isShown = without?.outcome === 'passed' && without.run.id > after
  if (isShown && areInForce(queue, without.run.quarantined ?? [], queue.now)) return false
  return !isSound(queue, pinnedTip(bisection), after)
}

/** True if only the tip by itself keeps the first open member from being convicted. Rule: E-230. */
export function awaitsTip(queue: QueueView, bisection: BisectionView): boolean {
  const { passing, failing } = knowledgeOf(bisection)
  if (passing || failing?.length !== 1 || !isUnexplained(queue, bisection, failing)) return false
  return !isWaitingForRuns(queue, bisection) && !isDoubtful(queue, bisection, failing)
}
