/**
 * Restarts: a group keeps its position and its members, and waits for a new run.
 *
 * Rules: E-27, E-47, E-95.
 */

import { contentsOf } from '../model/content.ts'
import { isBeingMerged } from '../model/merging.ts'
import type { RestartReason } from '../model/pull-request-state.ts'
import type { GroupId, GroupView, PullRequestNumber, QueueView, Retry } from '../model/state.ts'
import { isSameTargets, targetsOf } from '../model/targets.ts'
import type { Step } from '../evolve/step.ts'
import { moveAll } from './moves.ts'
import {
  groupsInLine,
  hasBegunToMerge,
  holds,
  membersBelow,
  predecessors,
  runOf,
} from '../model/predecessors.ts'

/**
 * Ends the run or the verdict of the group and makes it wait for a new run. A member that the code
 * host is merging is not touched, because the code host decides about it; the other members
 * restart.
 */
export function restartGroup(
  step: Step,
  group: GroupView,
  reason: RestartReason,
  retry: Retry | null = null,
): void {
  const { phase } = group
  if (phase.kind === 'passed' && phase.merging !== null) {
    restartBehindMerge(step, group, reason)
    return
  }
  if (phase.kind === 'waiting' && !phase.retry) return
  if (phase.kind === 'testing') {
    const isInProgress = phase.run.id in step.queue.testRuns
    if (isInProgress) step.emit({ type: 'testRunCancelled', testRun: phase.run.id, cause: reason })
  }
  step.emit({ type: 'groupRestarted', group: group.id, reason, retry })
  moveAll(step, group.members, 'PENDING', reason)
  // The groups behind have gone on without it, so it follows them.
  if (phase.kind === 'failed' && phase.aside) moveToEnd(step, group)
  if (phase.kind !== 'conflicted') return
  // The compositions behind it left it out because of its conflict, and must contain it now.
  takeTargets(step, group)
  letPass(step, group)
  restartOnTopOf(step, group.id, reason)
}

function moveToEnd({ queue, emit }: Step, { id }: GroupView): void {
  const index = queue.line.length - 1
  if (queue.line[index] !== id) emit({ type: 'groupMoved', group: id, index })
}

/**
 * Applies impacted targets that were uploaded since the last start. Returns true if they differ.
 */
export function takeTargets(step: Step, group: GroupView): boolean {
  if (!hasNewTargets(step.queue, group)) return false
  letPass(step, group)
  step.emit({ type: 'groupLinked', group: group.id })
  return true
}

function hasNewTargets({ configuration, impactedTargets }: QueueView, group: GroupView): boolean {
  if (configuration.mode === 'single') return false
  return !isSameTargets(targetsOf(impactedTargets, group.members), group.targets)
}

/**
 * Groups behind this one are about to depend on it without containing it. A group whose merging has
 * begun cannot restart any more, so it advances ahead of this one.
 */
function letPass({ queue, emit }: Step, group: GroupView): void {
  const behind = queue.line.slice(queue.line.indexOf(group.id) + 1)
  for (const id of behind) {
    const other = queue.groups[id]
    if (!other || !hasBegunToMerge(other)) continue
    emit({ type: 'groupMoved', group: id, index: queue.line.indexOf(group.id) })
  }
}

/**
 * The group `below` has new dependents or new predecessors. Restarts every group that depends on it
 * and whose run does not contain all of its members and theirs below.
 */
export function restartOnTopOf(step: Step, below: GroupId, reason: RestartReason): void {
  const { queue } = step
  const group = queue.groups[below]
  if (!group) return
  const needed = [...group.members, ...membersBelow(queue, group)]
  for (const other of groupsInLine(queue)) {
    const isOnTop = predecessors(queue, other).some(({ id }) => id === below)
    if (isOnTop && !holdsAll(queue, other, needed)) restartGroup(step, other, reason)
  }
}

function holdsAll(
  queue: QueueView,
  group: GroupView,
  numbers: readonly PullRequestNumber[],
): boolean {
  const run = runOf(group)
  return run !== null && numbers.every((number) => holds(queue, run, number))
}

/**
 * Restarts every group whose run contains one of these pull requests, or that conflicts with one;
 * but not the group `except`.
 */
export function restartLineWithout(
  step: Step,
  numbers: readonly PullRequestNumber[],
  reason: RestartReason,
  except: GroupId | null = null,
): void {
  const contents = contentsOf(step.queue, numbers)
  for (const group of groupsInLine(step.queue)) {
    if (group.id === except) continue
    const { phase } = group
    const run = runOf(group)
    const isAffected =
      phase.kind === 'conflicted'
        ? numbers.includes(phase.with)
        : run !== null && contents.some((content) => run.submissions.includes(content))
    if (isAffected) restartGroup(step, group, reason)
  }
}

/** Restarts every group in the line, also groups that passed or failed. */
export function restartLine(step: Step, reason: RestartReason): void {
  for (const group of groupsInLine(step.queue)) restartGroup(step, group, reason)
}

/**
 * Splits off the other members of a batch behind the member that is being merged, and restarts
 * them. Where a group lands as one push there are no others.
 */
function restartBehindMerge(step: Step, group: GroupView, reason: RestartReason): void {
  const rest = group.members.filter((number) => !isBeingMerged(group, number))
  if (rest.length === 0) return
  const into = step.queue.last.group + 1
  const areTargetsNew = hasNewTargets(step.queue, group)
  const index = step.queue.line.indexOf(group.id) + 1
  step.emit({ type: 'groupSplit', group: group.id, members: rest, into, index, cause: 'merging' })
  moveAll(step, rest, 'PENDING', reason)
  const behind = step.queue.groups[into]
  if (!areTargetsNew || !behind) return
  // New targets apply to the split-off group, so groups behind may depend on it without containing
  // it.
  letPass(step, behind)
  restartOnTopOf(step, into, reason)
}
