/**
 * A member leaves a bisection by itself, or was proven by one and is gone before it merged.
 *
 * Every verdict whose composition held it is void: runs that hold it are cancelled, and members
 * proven behind it are unproven again. Source: spec "Bisection" (a member that leaves).
 */

import type { BisectionView, PullRequestNumber } from '../model/state.ts'
import type { Step } from '../step.ts'
import { moveAll } from '../line/moves.ts'
import { holds } from '../line/predecessors.ts'
import { isMember } from './knowledge.ts'

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
  const place = bisection.proven.indexOf(number)
  const isHandedOver = bisection.handedOver.includes(number)
  const unproven = isHandedOver
    ? [...bisection.proven]
    : place === -1
      ? []
      : bisection.proven.slice(place + 1)
  step.emit({ type: 'memberDeparted', bisection: bisection.id, number })
  moveAll(step, unproven, 'PENDING', cause)
}
