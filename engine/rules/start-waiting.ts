import { fail } from '../happenings/depart.ts'
import { move } from '../line/moves.ts'
import { groupsInPhase, membersBelow } from '../line/predecessors.ts'
import { restartLineWithout, restartOnTopOf, takeTargets } from '../line/restart.ts'
import { startMainRun } from '../happenings/start-run.ts'
import { isAlone } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, Millis, PullRequestNumber, QueueView } from '../model/state.ts'
import type { Step } from '../step.ts'
import type { Rule } from './rule.ts'

/**
 * Groups in the line that want a run start in line order, ahead of everything PENDING. That a run
 * has started is nothing to the rules before; that the line is another one is.
 */
export const startWaiting: Rule = (step) => {
  const { queue, at } = step
  if (!hasSlot(queue) || !allows(queue.state, 'startsKnown')) return false
  for (const group of groupsInPhase(queue, 'waiting')) {
    if (!hasSlot(queue)) return false
    if (isDue(group, at) && startOrChange(step, group)) return true
  }
  return false
}

function hasSlot({ slots, configuration }: QueueView): boolean {
  return slots.main < configuration.concurrency
}

function isDue({ phase }: GroupView, at: Millis): boolean {
  return phase.kind === 'waiting' && (phase.retry === null || phase.retry.notBefore <= at)
}

/** Starts the group's run, if it can have one. Answers whether the line has changed over it. */
function startOrChange(step: Step, group: GroupView): boolean {
  // Groups behind that share a target by now and don't contain it restart on top of it.
  const isLinkedAnew = takeTargets(step, group)
  if (isLinkedAnew) restartOnTopOf(step, group.id, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  const isHandled = splitAlone(step, group) || meetConflict(step, group)
  if (!isHandled) startMainRun(step, group)
  return isLinkedAnew || isHandled
}

/** A member that has become noBatch since the batch was formed is a group of its own from now on. */
function splitAlone(step: Step, group: GroupView): boolean {
  const { queue } = step
  const alone = group.members.findIndex((number) => {
    const pullRequest = queue.pullRequests[number]
    return pullRequest !== undefined && isAlone(pullRequest)
  })
  const cut = alone === 0 ? 1 : alone
  if (cut === -1 || cut >= group.members.length) return false
  const members = group.members.slice(cut)
  const into = queue.last.group + 1
  step.emit({ type: 'groupSplit', group: group.id, members, into, cause: 'noBatch' })
  return true
}

/**
 * A pull request that conflicts as text can't be built. With the tip: FAILED. With something
 * unmerged below: it waits for that one's fate. In a batch only the member that conflicts leaves,
 * as a group of its own behind.
 */
function meetConflict(step: Step, group: GroupView): boolean {
  if (!hasAnyConflict(step.queue, group)) return false
  const below = new Set(membersBelow(step.queue, group))
  for (const number of group.members) {
    const conflict = conflictOf(step.queue, number, below)
    below.add(number)
    if (conflict === null) continue
    // Neither way does it need a slot: there is nothing to run.
    const apart = group.members.length > 1 ? splitOff(step, group, number) : group
    moveConflicted(step, apart, number, conflict)
    return true
  }
  return false
}

/** Whether the code host ever named one: hardly anybody has any. */
function hasAnyConflict(queue: QueueView, { members }: GroupView): boolean {
  for (const number of members) {
    if (conflictsOf(queue, number).length > 0) return true
  }
  return false
}

function splitOff(step: Step, group: GroupView, number: PullRequestNumber): GroupView {
  const into = step.queue.last.group + 1
  step.emit({ type: 'groupSplit', group: group.id, members: [number], into, cause: 'conflict' })
  return step.queue.groups[into] ?? group
}

/** What the pull request conflicts with: the tip, a pull request below it, or nothing. */
function conflictOf(
  queue: QueueView,
  number: PullRequestNumber,
  below: ReadonlySet<PullRequestNumber>,
): 'tip' | PullRequestNumber | null {
  const others = conflictsOf(queue, number)
  if (others.some((other) => isOnTip(queue, other))) return 'tip'
  return others.find((other) => below.has(other)) ?? null
}

function isOnTip(queue: QueueView, number: PullRequestNumber): boolean {
  const pullRequest = queue.pullRequests[number]
  return pullRequest?.state === 'MERGED' || pullRequest?.mergedBefore === true
}

function conflictsOf(queue: QueueView, number: PullRequestNumber): readonly PullRequestNumber[] {
  return queue.hostFacts[number]?.conflictsWith ?? []
}

function moveConflicted(
  step: Step,
  group: GroupView,
  number: PullRequestNumber,
  conflict: 'tip' | PullRequestNumber,
): void {
  move(step, number, 'TESTING', null)
  if (conflict === 'tip') {
    const evidence = { failedIn: null, passedWithout: null, failedTests: [] }
    fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', evidence)
    return
  }
  step.emit({ type: 'groupConflicted', group: group.id, with: conflict })
  move(step, number, 'PENDING_FAILURE', null)
  // It is left out of the compositions behind it from now on, and nobody waits for it.
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_FAILED')
}
