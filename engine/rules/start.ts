import {
  contiguousGroup,
  type FillingGroup,
  isDue,
  pendingSinceOf,
  groupsByTargets,
  wouldStartWith,
} from '../batching/lanes.ts'
import { batchSize, fillMinutes, standsOn } from '../model/policy.ts'
import {
  oldestPendingSince,
  isAlone,
  firstPending,
  urgentPriority,
} from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { Millis, PullRequestNumber, QueueView, GroupView, GroupId } from '../model/state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import type { Rule, Step } from '../evolve/step.ts'
import { setApart, startMainRun } from '../transitions/start-run.ts'
import {
  groupsInPhase,
  isInPredecessor,
  groupsInLine,
  hasBegunToMerge,
  predecessors,
} from '../model/predecessors.ts'
import { hasLanded, missingOf } from '../model/stack.ts'
import { restartOnTopOf } from '../line/moves.ts'

const minuteMs = 60_000

/**
 * While a slot is free, the next pull requests in order form a group. A batch starts when it is full or a
 * member has waited for the maximum wait.
 */
export const formGroup: Rule = (step) => {
  const { queue } = step
  if (!hasSlotForNew(queue)) return false
  const members = nextGroup(queue, step.at)
  if (members.length === 0) return false
  step.emit({
    type: 'groupPlaced',
    group: queue.last.group + 1,
    members,
    index: queue.line.length,
    cause: 'formed',
    bisection: null,
  })
  return true
}

/**
 * Returns the instant at which the wait for a batch ends; null if no batch is filling or no slot is
 * free.
 */
export function fillDeadline(queue: QueueView): Millis | null {
  if (!hasSlotForNew(queue)) return null
  const since = fillingSince(queue)
  return since === Infinity ? null : since + maximumWaitMs(queue)
}

/** Those that are tested alone or depend on others wait for a batch, so that only its members count. */
function fillingSince(queue: QueueView): Millis {
  const { configuration, order, dependents = {} } = queue
  const mayWait = configuration.mode === 'parallel' && Object.keys(dependents).length > 0
  if (order.alone === 0 && !mayWait) return oldestPendingSince(queue) ?? Infinity
  let since = Infinity
  for (const group of groupsToForm(queue)) since = Math.min(since, pendingSinceOf(group))
  return since
}

/**
 * True if a free slot would start pull requests on top of groups with these targets. A batch that
 * still fills would not start.
 */
export function wouldStartOnTopOf(
  queue: QueueView,
  at: Millis,
  targets: () => ImpactedTargets,
): boolean {
  if (queue.order.pending === 0 || !startsNew(queue)) return false
  return queue.configuration.mode === 'single'
    ? nextGroup(queue, at).length > 0
    : wouldStartWith(queue, targets(), at - maximumWaitMs(queue))
}

/** True if a pull request that has not entered the line could start now. */
function hasSlotForNew(queue: QueueView): boolean {
  return startsNew(queue) && hasSlot(queue)
}

function startsNew(queue: QueueView): boolean {
  return allows(queue.state, 'startsNew') && failureOfTip(queue) === null
}

function nextGroup(queue: QueueView, at: Millis): PullRequestNumber[] {
  const dueSince = at - maximumWaitMs(queue)
  if (isOnlyFilling(queue, dueSince)) return []
  for (const group of groupsToForm(queue)) {
    if (isDue(group, dueSince)) return group.members.map(({ number }) => number)
  }
  return []
}

function groupsToForm(queue: QueueView): Iterable<FillingGroup> {
  return queue.configuration.mode === 'single' ? contiguousGroup(queue) : groupsByTargets(queue)
}

/** True if no batch is full and nobody has waited long enough. It runs at every step. */
function isOnlyFilling(queue: QueueView, dueSince: Millis): boolean {
  const { configuration, order } = queue
  const since = oldestPendingSince(queue)
  if (since === undefined) return true
  if (configuration.mode === 'parallel' || order.alone > 0) return false
  return since > dueSince && order.pending < batchSize(queue)
}

const maximumWaitMs = (queue: QueueView): Millis => fillMinutes(queue) * minuteMs

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
    if (isStopped && !mayMend(queue, group)) continue
    if (isRetryDue(group, at) && startOrChange(step, group)) return true
  }
  return false
}

/** True if it is urgent, or a member of it has become urgent in the line. Rule: E-232. */
function mayMend({ pullRequests }: QueueView, { urgent, members }: GroupView): boolean {
  return urgent || members.some((number) => pullRequests[number]?.priority === urgentPriority)
}

function hasSlot({ slots, configuration }: QueueView): boolean {
  return slots.main < configuration.concurrency
}

function isRetryDue({ phase }: GroupView, at: Millis): boolean {
  return phase.kind === 'waiting' && (phase.retry === null || phase.retry.notBefore <= at)
}

/** Starts the run of the group, if it can have one. Returns true if the line has changed. */
function startOrChange(step: Step, group: GroupView): boolean {
  if (splitAlone(step, group) || handleConflict(step, group)) return true
  const ground = standsOn(step.queue, group)
  if (ground !== 'nothing') startMainRun(step, group, ground === 'the branch alone')
  return false
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
    (number, isBelow) => missingOf(queue, number).find((other) => !isBelow(other)) ?? null,
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
  return setFirstApart(step, group, (number, isBelow) => conflictOf(queue, number, isBelow))
}

type IsBelow = (number: PullRequestNumber) => boolean

/** Sets the first member apart that something keeps from a run. No slot is needed, because nothing runs. */
function setFirstApart(
  step: Step,
  group: GroupView,
  obstacle: (number: PullRequestNumber, isBelow: IsBelow) => 'tip' | PullRequestNumber | null,
): boolean {
  const { queue } = step
  for (const [index, number] of group.members.entries()) {
    const found = obstacle(number, (other) => {
      const at = group.members.indexOf(other)
      return at === -1 ? isInPredecessor(queue, other, group) : at < index
    })
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
  isBelow: IsBelow,
): 'tip' | PullRequestNumber | null {
  const others = conflictsOf(queue, number)
  if (others.some((other) => hasLanded(queue, other))) return 'tip'
  return others.find(isBelow) ?? null
}

function conflictsOf(queue: QueueView, number: PullRequestNumber): readonly PullRequestNumber[] {
  return queue.hostFacts[number]?.conflictsWith ?? []
}

/**
 * An urgent pull request enters the line at the head at once and is tested alone. Every group that
 * depends on it restarts on top of it. Earlier urgent groups, groups whose merging has begun, and
 * the predecessors of these stay ahead.
 */
export const interruptForUrgent: Rule = (step) => {
  const urgent = firstPending(step.queue)
  if (urgent?.priority !== urgentPriority || !allows(step.queue.state, 'startsNew')) return false
  const index = headFor(step, urgent.number)
  const group = step.queue.last.group + 1
  const members = [urgent.number]
  step.emit({ type: 'groupPlaced', group, members, index, cause: 'urgent', bisection: null })
  restartOnTopOf(step, group, 'SKIP_THE_LINE_INTERRUPTED')
  return true
}

/**
 * Returns the index behind the groups that stay ahead. In parallel mode it first moves them to the
 * head.
 */
function headFor(step: Step, urgent: PullRequestNumber): number {
  const { queue } = step
  const staying = groupsStayingAhead(queue, urgent)
  let index = 0
  for (const id of [...queue.line]) {
    if (!staying.has(id)) continue
    if (queue.line[index] !== id) step.emit({ type: 'groupMoved', group: id, index })
    index++
  }
  return index
}

/**
 * Earlier urgent groups, groups whose merging has begun, and what the urgent one depends on, with the
 * predecessors of all of them.
 */
function groupsStayingAhead(queue: QueueView, urgent: PullRequestNumber): ReadonlySet<GroupId> {
  const staying = new Set<GroupId>()
  const below = missingOf(queue, urgent)
  for (const group of groupsInLine(queue)) {
    const isBelow = group.members.some((number) => below.includes(number))
    if (!group.urgent && !isBelow && !hasBegunToMerge(group)) continue
    for (const { id } of predecessors(queue, group)) staying.add(id)
    staying.add(group.id)
  }
  return staying
}
