/**
 * What becomes of the members a bisection has proven.
 *
 * Source: spec "Bisection" (survivors).
 */

import { moveAll } from '../line/moves.ts'
import { findInLine, isBeside, predecessors, runOf } from '../line/predecessors.ts'
import { isAlone } from '../model/pending-order.ts'
import type { BisectionView, GroupView, PullRequestNumber, QueueView } from '../model/state.ts'
import { sharesTarget } from '../model/targets.ts'
import type { Step } from '../step.ts'

/**
 * Whether what is proven may merge with no further run: the tip is the pinned base plus the
 * bisection's own members, those handed over before are still to merge as proven, nothing in the
 * line stands on that tip, and, without optimistic merging, no earlier failure is being handled.
 * What shares no target is nobody's concern.
 */
export function mayMergeSurvivors(queue: QueueView, bisection: BisectionView): boolean {
  if (bisection.proven.length === 0 || bisection.isTipMoved) return false
  if (!bisection.handedOver.every((number) => isProven(queue, bisection, number))) return false
  if (findInLine(queue, (group) => standsOnTip(queue, group, bisection))) return false
  if (queue.configuration.canOptimisticallyMerge) return true
  const isShared = ({ targets }: BisectionView): boolean =>
    queue.configuration.mode === 'single' || sharesTarget(targets, bisection.targets)
  return queue.bisections.every((other) => other.id >= bisection.id || !isShared(other))
}

/** Whether one handed over is still to merge as proven, and was not restarted to be tested again. */
function isProven(queue: QueueView, { id }: BisectionView, number: PullRequestNumber): boolean {
  const home = queue.pullRequests[number]?.home
  return home?.in === 'group' && queue.groups[home.group]?.provenBy === id
}

/** Whether the group has a run, or a verdict, that would not hold what the bisection has proven. */
function standsOnTip(queue: QueueView, group: GroupView, { id }: BisectionView): boolean {
  if (group.provenBy === id) return false
  if (runOf(group) === null && group.phase.kind !== 'passed') return false
  return [group, ...predecessors(queue, group)].some((each) => isBeside(queue, each, id))
}

/** What is proven becomes a group at the head of the line that has passed already. */
export function handOver(step: Step, bisection: BisectionView): void {
  const { line, groups, last } = step.queue
  step.emit({
    type: 'groupPlaced',
    group: last.group + 1,
    members: [...bisection.proven],
    index: line.findLastIndex((id) => groups[id]?.provenBy === bisection.id) + 1,
    cause: 'proven',
    bisection: bisection.id,
  })
}

/**
 * All survivors return as one ready-made group behind what is in the line, to be tested once on
 * the predicted state; those a flake has sent back too often are groups of their own.
 */
export function returnSurvivors(step: Step, survivors: readonly PullRequestNumber[]): void {
  const together: PullRequestNumber[] = []
  const groups: PullRequestNumber[][] = []
  for (const number of survivors) {
    const pullRequest = step.queue.pullRequests[number]
    if (pullRequest && isAlone(pullRequest)) groups.push([number])
    else together.push(number)
  }
  if (together.length > 0) groups.unshift(together)
  for (const members of groups) {
    const { last, line } = step.queue
    const group = last.group + 1
    const index = line.length
    const bisection = null
    step.emit({ type: 'groupPlaced', group, members, index, cause: 'survivors', bisection })
    moveAll(step, members, 'PENDING', 'BISECTION_TEST_RUN_PASSED')
  }
}
