/**
 * What a bisection knows: which prefixes of its open members pass or fail on base + proven.
 *
 * Verdicts are looked up by composition. So a member that leaves voids what held it without any
 * bookkeeping, a culprit's removal does too, and nothing known is ever asked again.
 * Source: spec "Bisection" (cache).
 */

import { extend, type CompositionKey } from '../model/composition.ts'
import { memberContents } from '../model/content.ts'
import type {
  BisectionVerdict,
  BisectionView,
  PullRequestNumber,
  QueueView,
  TestRun,
} from '../model/state.ts'

export type Knowledge = {
  /** The longest prefix of the open members known to pass: its length, 0 for none. */
  readonly passing: number
  readonly passingRun: TestRun | null
  /** The shortest prefix known to fail, where there is one. */
  readonly failing: KnownFailure | null
}

export type KnownFailure = {
  readonly length: number
  readonly composition: CompositionKey
  readonly verdict: BisectionVerdict
}

/** The bisection's own members below every further run: proven, and not merged yet. */
export function baseOf(bisection: BisectionView): PullRequestNumber[] {
  return [...bisection.handedOver, ...bisection.proven]
}

/** The key of pinned tip + proven + `members`. */
export function compositionOf(
  bisection: BisectionView,
  members: readonly PullRequestNumber[],
): CompositionKey {
  const numbers = [...baseOf(bisection), ...members]
  return extend(bisection.composition, memberContents(bisection, numbers))
}

/** Reads the verdicts along the prefixes of what is open. */
export function knowledgeOf(bisection: BisectionView): Knowledge {
  let passing = 0
  let passingRun: TestRun | null = null
  let failing: KnownFailure | null = null
  let length = 0
  for (const composition of bisection.prefixes) {
    length++
    const verdict = bisection.verdicts[composition]
    if (verdict?.outcome === 'passed') {
      passing = length
      passingRun = verdict.run
      failing = null
    } else if (verdict && !failing) {
      failing = { length, composition, verdict }
    }
  }
  return { passing, passingRun, failing }
}

/** Whether runs under way, or about to be made again, can still change what is known. */
export function isWaitingForRuns(queue: QueueView, bisection: BisectionView): boolean {
  if (bisection.retries.length > 0) return true
  for (const id of bisection.underWay) {
    const run = queue.testRuns[id]
    if (run && matters(bisection, run)) return true
  }
  return false
}

/** Whether the run can still change what is known: not once all that it tests is proven. */
export function matters(bisection: BisectionView, run: TestRun): boolean {
  const last = run.tested.at(-1)
  return last !== undefined && bisection.open.includes(last)
}

/** Whether the pull request, as submitted now, is one of the bisection's that is not out of it. */
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
