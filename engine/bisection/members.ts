/**
 * Survivors of a bisection: whether they merge at once, or return to the line as all members do that it gives up.
 *
 * Rules: E-88, E-89, E-235.
 */

import { moveAll } from '../line/moves.ts'
import { findInLine, predecessors, runOf, sharesTargetWith, holds } from '../model/predecessors.ts'
import type {
  BisectionView,
  GroupId,
  GroupView,
  PullRequestNumber,
  QueueView,
} from '../model/state.ts'
import type { RestartReason, DependencyReason } from '../model/pull-request.ts'
import { sharesTarget } from '../model/targets.ts'
import type { Step } from '../evolve/step.ts'
import { isMember } from './knowledge.ts'
import { provenWith } from '../model/proofs.ts'
import { missingOf } from '../model/stack.ts'

/**
 * True if the proven members may merge without another run. All of this must hold: the tip is the
 * pinned tip plus members of this bisection; members handed over before still merge as proven; no
 * group in the line has a run or a verdict on that tip without the proven members; and, without
 * optimistic merging, no earlier bisection is in progress. Groups, bisections and merges that share
 * no target are ignored.
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

/** True if a handed-over member still merges as proven, that is, its group was not restarted. */
function isProven(queue: QueueView, { id }: BisectionView, number: PullRequestNumber): boolean {
  const home = queue.pullRequests[number]?.home
  return home?.in === 'group' && queue.groups[home.group]?.provenBy === id
}

/**
 * True if the group has a run or a verdict that does not contain the proven members, is urgent and waits for a
 * run (E-291), or merges directly (E-293).
 */
function standsOnTip(queue: QueueView, group: GroupView, { id }: BisectionView): boolean {
  const { phase, urgent, provenBy } = group
  if (provenBy === id) return false
  const isNext = phase.kind === 'passed' || (phase.kind === 'waiting' && urgent)
  if (runOf(group) === null && !isNext) return false
  return [group, ...predecessors(queue, group)].some((each) => sharesTargetWith(queue, each, id))
}

/**
 * Moves the proven members into a group that has passed already, at the head of the line behind the
 * earlier groups of this bisection.
 */
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

/** Returns pull requests to the end of the line as one group, which is tested once on the predicted state. */
export function returnToLine(
  step: Step,
  members: readonly PullRequestNumber[],
  reason: RestartReason,
): GroupId | null {
  if (members.length === 0) return null
  const { last, line } = step.queue
  const group = last.group + 1
  const index = line.length
  const bisection = null
  step.emit({ type: 'groupPlaced', group, members, index, cause: 'survivors', bisection })
  moveAll(step, members, 'PENDING', reason)
  return group
}

// A member leaves a bisection: it departs while it is open, or after it was proven and before it
// merged.
//
// Every verdict whose composition contained the member is void. Runs that contain it are cancelled.
// Members proven behind it, or by the same run, are open again. Members that depend on one that goes back to
// the line follow it. Rules: E-90, E-290.

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
