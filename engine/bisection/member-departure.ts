/**
 * A member leaves a bisection: it departs while it is open, or after it was proven and before it
 * merged.
 *
 * Every verdict whose composition contained the member is void. Runs that contain it are cancelled.
 * Members proven behind it, or by the same run, are open again. Members that depend on one that goes back to
 * the line follow it. Rules: E-90, E-290.
 */

import type { DependencyReason } from '../model/pull-request-state.ts'
import type { BisectionView, PullRequestNumber, QueueView } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import { moveAll } from '../line/moves.ts'
import { holds } from '../model/predecessors.ts'
import { isMember } from './knowledge.ts'
import { returnToLine } from './survivors.ts'
import { provenWith } from '../model/proofs.ts'
import { missingOf } from '../model/stack.ts'

/** Takes the pull request out of every bisection of which it is a member. */
export function departFromBisections(
  step: Step,
  number: PullRequestNumber,
  cause: DependencyReason,
): void {
  for (const bisection of [...step.queue.bisections]) {
    if (!isMember(step.queue, bisection, number)) continue
    departFrom(step, bisection, number, cause)
    const stranded = strandedIn(step.queue, bisection)
    for (const member of stranded) departFrom(step, bisection, member, cause)
    returnToLine(step, stranded, cause)
  }
}

/** Those not handed over that depend on one in the queue that is no member any more, directly or through others. */
function strandedIn(queue: QueueView, bisection: BisectionView): PullRequestNumber[] {
  const stranded = new Set<PullRequestNumber>()
  const isApart = (below: PullRequestNumber): boolean => {
    const { in: place = 'nowhere' } = queue.pullRequests[below]?.home ?? {}
    return place !== 'nowhere' && !isMember(queue, bisection, below)
  }
  for (const member of [...bisection.proven, ...bisection.open]) {
    const below = missingOf(queue, member)
    if (below.some((each) => stranded.has(each) || isApart(each))) stranded.add(member)
  }
  return [...stranded]
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
