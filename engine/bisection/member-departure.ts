/**
 * A member leaves a bisection: it departs while it is open, or after it was proven and before it
 * merged.
 *
 * Every verdict whose composition contained the member is void. Runs that contain it are cancelled.
 * Members proven behind it, or by the same run, are open again. Rule: E-90.
 */

import type { DependencyReason } from '../model/pull-request-state.ts'
import type { BisectionView, PullRequestNumber } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import { moveAll } from '../line/moves.ts'
import { holds } from '../model/predecessors.ts'
import { isMember } from './knowledge.ts'
import { provenWith } from '../model/proofs.ts'

/** Takes the pull request out of every bisection of which it is a member. */
export function departFromBisections(
  step: Step,
  number: PullRequestNumber,
  cause: DependencyReason,
): void {
  for (const bisection of [...step.queue.bisections]) {
    if (isMember(step.queue, bisection, number)) departFrom(step, bisection, number, cause)
  }
}

function departFrom(
  step: Step,
  bisection: BisectionView,
  number: PullRequestNumber,
  cause: DependencyReason,
): void {
  for (const id of [...bisection.underWay]) {
    const run = step.queue.testRuns[id]
    if (run && holds(step.queue, run, number))
      step.emit({ type: 'testRunCancelled', testRun: id, cause })
  }
  const unproven = provenWith(step.queue, bisection, number)
  step.emit({ type: 'memberDeparted', bisection: bisection.id, number })
  moveAll(step, unproven, 'PENDING', cause)
  // An open member is TESTING, because a run in progress or a known result may convict it.
  moveAll(step, unproven, 'TESTING', null)
}
