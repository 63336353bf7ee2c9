import { setApart } from '../transitions/conflict.ts'
import { groupsInPhase, membersBelow } from '../model/predecessors.ts'
import { startMainRun, startScreeningRun } from '../transitions/start-run.ts'
import { isAlone } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, Millis, PullRequestNumber, QueueView } from '../model/state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import { hasLanded, missingOf } from '../model/stack.ts'
import { standsOn } from '../model/policy.ts'
import type { Step, Rule } from '../evolve/step.ts'

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
    if (leaveOutOfStack(step, group)) return true
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
 * A member that depends on one that is not below it leaves a group that waits for a run, also if the group may not
 * start: otherwise others would be tested on top of it, and clear it. Rule: E-266.
 */
function leaveOutOfStack(step: Step, group: GroupView): boolean {
  const { queue } = step
  if (!group.members.some((number) => missingOf(queue, number).length > 0)) return false
  return setFirstApart(
    step,
    group,
    (number, below) => missingOf(queue, number).find((other) => !below.has(other)) ?? null,
  )
}

/**
 * A pull request with a text conflict cannot be tested. If it conflicts with the tip, it is FAILED. If it conflicts
 * with an unmerged pull request below, it waits until that one merges or leaves. In a batch only this member moves
 * to a separate group behind. Returns true if a conflict was found.
 */
function handleConflict(step: Step, group: GroupView): boolean {
  const { queue } = step
  if (!group.members.some((number) => conflictsOf(queue, number).length > 0)) return false
  return setFirstApart(step, group, (number, below) => conflictOf(queue, number, below))
}

type Below = ReadonlySet<PullRequestNumber>

/** Sets the first member apart that something keeps from a run. No slot is needed, because nothing runs. */
function setFirstApart(
  step: Step,
  group: GroupView,
  obstacle: (number: PullRequestNumber, below: Below) => 'tip' | PullRequestNumber | null,
): boolean {
  const below = new Set(membersBelow(step.queue, group))
  for (const number of group.members) {
    const found = obstacle(number, below)
    below.add(number)
    if (found === null) continue
    setApart(step, group, number, found)
    return true
  }
  return false
}

/** What the pull request conflicts with: the tip, a pull request below it, or nothing (null). */
function conflictOf(
  queue: QueueView,
  number: PullRequestNumber,
  below: Below,
): 'tip' | PullRequestNumber | null {
  const others = conflictsOf(queue, number)
  if (others.some((other) => hasLanded(queue, other))) return 'tip'
  return others.find((other) => below.has(other)) ?? null
}

function conflictsOf(queue: QueueView, number: PullRequestNumber): readonly PullRequestNumber[] {
  return queue.hostFacts[number]?.conflictsWith ?? []
}
