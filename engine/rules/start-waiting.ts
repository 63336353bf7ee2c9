import { setApart } from '../transitions/conflict.ts'
import { groupsInPhase, membersBelow } from '../model/predecessors.ts'
import { startMainRun, startScreeningRun } from '../transitions/start-run.ts'
import { isAlone } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, Millis, PullRequestNumber, QueueView } from '../model/state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import { hasLanded, missingOf } from '../model/stack.ts'
import { standsOn } from '../model/policy.ts'
import type { Step } from '../evolve/step.ts'
import type { Rule } from './rule.ts'

/**
 * Groups in the line that wait for a run start in line order, before pull requests that have not
 * entered the line. Returns true only if the line has changed, because no rule before depends on
 * the start of a run.
 */
export const startWaiting: Rule = (step) => {
  const { queue, at } = step
  if (!allows(queue.state, 'startsKnown')) return false
  const isStopped = failureOfTip(queue) !== null
  for (const group of groupsInPhase(queue, 'waiting')) {
    if (!hasSlot(queue)) return false
    // It may mend the branch.
    if (isStopped && !group.urgent) continue
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

/** Starts the run of the group, if it can have one. Returns true if the line has changed. */
function startOrChange(step: Step, group: GroupView): boolean {
  const isHandled = splitAlone(step, group) || handleConflict(step, group)
  if (!isHandled) startNextRun(step, group)
  return isHandled
}

function startNextRun(step: Step, group: GroupView): void {
  const ground = standsOn(step.queue, group)
  if (ground === 'predecessors') startMainRun(step, group)
  if (ground === 'the branch alone') startScreeningRun(step, group)
}

/**
 * A member that became `noBatch` or urgent after its batch was formed moves to a separate group.
 */
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
  const index = queue.line.indexOf(group.id) + 1
  step.emit({ type: 'groupSplit', group: group.id, members, into, index, cause: 'noBatch' })
  return true
}

/**
 * A pull request with a text conflict cannot be tested. If it conflicts with the tip, it is FAILED.
 * If it conflicts with an unmerged pull request below, or depends on one that is not below, it waits until that
 * one merges or leaves. In a batch only this member moves to a separate group behind. Returns true if a
 * conflict was found.
 */
function handleConflict(step: Step, group: GroupView): boolean {
  if (!hasAnyConflict(step.queue, group)) return false
  const below = new Set(membersBelow(step.queue, group))
  for (const number of group.members) {
    const conflict =
      conflictOf(step.queue, number, below) ??
      missingOf(step.queue, number).find((other) => !below.has(other)) ??
      null
    below.add(number)
    if (conflict === null) continue
    // No slot is needed in either case, because nothing runs.
    setApart(step, group, number, conflict)
    return true
  }
  return false
}

/** True if a member depends on another or the code host has reported a conflict, which is rare. */
function hasAnyConflict(queue: QueueView, { members }: GroupView): boolean {
  for (const number of members) {
    const { dependsOn } = queue.pullRequests[number] ?? {}
    if (dependsOn || conflictsOf(queue, number).length > 0) return true
  }
  return false
}

/** What the pull request conflicts with: the tip, a pull request below it, or nothing (null). */
function conflictOf(
  queue: QueueView,
  number: PullRequestNumber,
  below: ReadonlySet<PullRequestNumber>,
): 'tip' | PullRequestNumber | null {
  const others = conflictsOf(queue, number)
  if (others.some((other) => hasLanded(queue, other))) return 'tip'
  return others.find((other) => below.has(other)) ?? null
}

function conflictsOf(queue: QueueView, number: PullRequestNumber): readonly PullRequestNumber[] {
  return queue.hostFacts[number]?.conflictsWith ?? []
}
