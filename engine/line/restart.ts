/**
 * Restarting groups: they keep their place and members, and want a new run.
 *
 * Source: spec "Order and starting" (a restarted group), "A run ends".
 */

import { contentsOf } from '../model/content.ts'
import type { RestartReason } from '../model/pull-request-state.ts'
import type { GroupId, GroupView, PullRequestNumber, QueueView, Retry } from '../model/state.ts'
import { isSameTargets, targetsOf } from '../model/targets.ts'
import type { Step } from '../step.ts'
import { moveAll } from './moves.ts'
import {
  groupsInLine,
  hasBegunToMerge,
  holds,
  membersBelow,
  predecessors,
  runOf,
} from './predecessors.ts'

/**
 * Ends the group's run or verdict, whatever it is, and lets it wait for a new one.
 * A member whose merge is under way stays as it is: the code host has the word on it.
 */
export function restartGroup(
  step: Step,
  group: GroupView,
  reason: RestartReason,
  retry: Retry | null = null,
): void {
  const { phase } = group
  if (phase.kind === 'passed' && phase.merging !== null) {
    restartBehindMerge(step, group, phase.merging, reason)
    return
  }
  if (phase.kind === 'waiting' && !phase.retry) return
  if (phase.kind === 'testing') {
    const isUnderWay = phase.run.id in step.queue.testRuns
    if (isUnderWay) step.emit({ type: 'testRunCancelled', testRun: phase.run.id, cause: reason })
  }
  step.emit({ type: 'groupRestarted', group: group.id, reason, retry })
  moveAll(step, group.members, 'PENDING', reason)
  if (phase.kind !== 'conflicted') return
  // It was left out of the compositions behind it, and is back.
  if (!takeTargets(step, group)) letPass(step, group)
  restartOnTopOf(step, group.id, reason)
}

/** Impacted targets uploaded since take effect when a group restarts. Answers whether they differ. */
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
 * A group is about to be below others that do not hold it. Those whose merging has begun cannot
 * restart any more: they go ahead of it.
 */
function letPass({ queue, emit }: Step, group: GroupView): void {
  const behind = queue.line.slice(queue.line.indexOf(group.id) + 1)
  for (const id of behind) {
    const other = queue.groups[id]
    if (!other || !hasBegunToMerge(other)) continue
    emit({ type: 'groupAdvanced', group: id, index: queue.line.indexOf(group.id) })
  }
}

/**
 * A group is below others now that was not, or has more below itself: whoever depends on it
 * without holding all that restarts.
 */
export function restartOnTopOf(step: Step, below: GroupId, reason: RestartReason): void {
  const { queue } = step
  const ground = queue.groups[below]
  if (!ground) return
  const needed = [...ground.members, ...membersBelow(queue, ground)]
  for (const group of groupsInLine(queue)) {
    const isOnTop = predecessors(queue, group).some(({ id }) => id === below)
    if (isOnTop && !holdsAll(queue, group, needed)) restartGroup(step, group, reason)
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

/** Those whose composition held a pull request that left without merging restart without it. */
export function restartLineWithout(
  step: Step,
  numbers: readonly PullRequestNumber[],
  reason: RestartReason,
): void {
  const contents = contentsOf(step.queue, numbers)
  for (const group of groupsInLine(step.queue)) {
    const { phase } = group
    const run = runOf(group)
    const isHit =
      phase.kind === 'conflicted'
        ? numbers.includes(phase.with)
        : run !== null && contents.some((content) => run.submissions.includes(content))
    if (isHit) restartGroup(step, group, reason)
  }
}

/** Every group in the line restarts, those that passed or failed included. */
export function restartLine(step: Step, reason: RestartReason): void {
  for (const group of groupsInLine(step.queue)) restartGroup(step, group, reason)
}

/** The others of a batch restart as a group of their own behind the one that is being merged. */
function restartBehindMerge(
  step: Step,
  group: GroupView,
  merging: PullRequestNumber,
  reason: RestartReason,
): void {
  const rest = group.members.filter((number) => number !== merging)
  if (rest.length === 0) return
  const into = step.queue.last.group + 1
  const areTargetsNew = hasNewTargets(step.queue, group)
  step.emit({ type: 'groupSplit', group: group.id, members: rest, into, cause: 'merging' })
  moveAll(step, rest, 'PENDING', reason)
  const behind = step.queue.groups[into]
  if (!areTargetsNew || !behind) return
  // They touch what has been uploaded for them since, and may be below others that do not hold them.
  letPass(step, behind)
  restartOnTopOf(step, into, reason)
}
