/**
 * Conviction: a member breaks the tests, is FAILED and leaves its bisection, and those that depend on it leave.
 *
 * Rules: E-21, E-73, E-74, E-264.
 */

import type { BisectionView, PullRequestNumber, QueueView, TestRunId } from '../model/state.ts'
import { testsTip } from '../model/policy.ts'
import { passedRunOn } from '../model/tip-test.ts'
import type { Step } from '../evolve/step.ts'
import { move } from '../line/moves.ts'
import { compositionOf, type KnownFailure } from '../bisection/knowledge.ts'
import { departFromBisections } from '../bisection/member-departure.ts'
import { cancelDependents } from './depart.ts'

/** Fails the first open member, whose prefix is known to fail, with the evidence. */
export function convict(
  step: Step,
  bisection: BisectionView,
  number: PullRequestNumber,
  { verdict }: KnownFailure,
): void {
  const reason = verdict.ofBatch ? 'TEST_RUN_FAILED_BY_OPTIMIZATION' : verdict.reason
  const evidence = {
    failedIn: verdict.run.id,
    passedWithout: passedWithout(step.queue, bisection),
    failedTests: verdict.failedTests,
  }
  step.emit({ type: 'memberConvicted', bisection: bisection.id, number })
  move(step, number, 'FAILED', reason, { testRun: verdict.run.id, evidence })
  cancelDependents(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
  // Another bisection may have proven it before and have runs on top of it.
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** A run of the bisection, or of the branch by itself where it is tested. Rule: E-182. */
function passedWithout(queue: QueueView, bisection: BisectionView): TestRunId | null {
  const base = compositionOf(bisection, [])
  const without = bisection.verdicts[base]
  if (without?.outcome === 'passed') return without.run.id
  return testsTip(queue) ? passedRunOn(queue, base) : null
}
