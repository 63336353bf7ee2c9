/**
 * A member leaves a bisection by itself, or was proven by one and is gone before it merged.
 *
 * Every verdict whose composition held it is void: runs that hold it are cancelled, and members
 * proven behind it, or together with it by one run, are unproven again. Source: spec "Bisection"
 * (a member that leaves).
 */

import type { BisectionView, PullRequestNumber } from '../model/state.ts'
import type { Step } from '../step.ts'
import { moveAll } from '../line/moves.ts'
import { holds } from '../line/predecessors.ts'
import { isMember } from './knowledge.ts'
import { provenWith } from './proofs.ts'

export type DepartureCause = 'PREREQUISITE_MERGE_ITEM_FAILED' | 'PREREQUISITE_MERGE_ITEM_CANCELLED'

export function departFromBisections(
  step: Step,
  number: PullRequestNumber,
  cause: DepartureCause,
): void {
  for (const bisection of [...step.queue.bisections]) {
    if (isMember(step.queue, bisection, number)) departFrom(step, bisection, number, cause)
  }
}

function departFrom(
  step: Step,
  bisection: BisectionView,
  number: PullRequestNumber,
  cause: DepartureCause,
): void {
  for (const id of [...bisection.underWay]) {
    const run = step.queue.testRuns[id]
    if (run && holds(step.queue, run, number))
      step.emit({ type: 'testRunCancelled', testRun: id, cause })
  }
  const unproven = provenWith(step.queue, bisection, number)
  step.emit({ type: 'memberDeparted', bisection: bisection.id, number })
  moveAll(step, unproven, 'PENDING', cause)
  // Until it is decided, a member is TESTING: a run under way, or one known already, may convict it.
  moveAll(step, unproven, 'TESTING', null)
}
