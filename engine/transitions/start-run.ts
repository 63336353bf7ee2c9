/** Starts of test runs, for the main line, for a bisection, or of the branch by itself. */

import { extend } from '../model/ids.ts'
import { contentOf, contentsOf, memberContents } from '../model/content.ts'
import type {
  BisectionView,
  GroupView,
  Millis,
  PullRequestNumber,
  QueueView,
  TestRun,
  Tip,
  GroupId,
} from '../model/state.ts'
import { baseOf, compositionOf } from '../bisection/knowledge.ts'
import type { Step } from '../evolve/step.ts'
import { moveAll, move, restartLineWithout } from '../line/moves.ts'
import { isInPredecessor, membersBelow } from '../model/predecessors.ts'
import { orderKey } from '../model/pending-order.ts'
import { missingOf } from '../model/stack.ts'
import { fail, noEvidence } from './depart.ts'

const minuteMs = 60_000

/**
 * Starts a run of the tip and the members of the group, on top of the members of all predecessors
 * or, if it screens, without its predecessors.
 */
export function startMainRun(step: Step, group: GroupView, isScreening: boolean): void {
  const { queue } = step
  const base = isScreening ? [] : membersBelow(queue, group)
  const tested = [...group.members]
  const submissions = contentsOf(queue, base)
  for (const number of tested) submissions.push(contentOf(queue, number))
  startRun(step, {
    owner: { kind: 'main', group: group.id },
    tip: queue.tip.number,
    base,
    tested,
    submissions,
    composition: extend(queue.tip.composition, submissions),
    ...(isScreening ? { screening: true } : {}),
    attempt: attemptOf(queue, group, submissions),
  })
}

/**
 * Attempts are counted for one composition. The count starts at 0 again if a pull request in the
 * line was below the lost run and is not below the new one, or the other way round.
 */
function attemptOf(
  queue: QueueView,
  { phase, overtaken }: GroupView,
  contents: readonly number[],
): number {
  const retry = phase.kind === 'waiting' ? phase.retry : null
  if (!retry || overtaken) return 0
  const { base, submissions } = retry.of
  const isLeftOut = (number: PullRequestNumber): boolean => {
    const below = queue.pullRequests[number]
    const isThere = below?.home.in === 'group' && submissions.includes(below.submission)
    return isThere && !contents.includes(below.submission)
  }
  const isSame = contents.every((content) => submissions.includes(content)) && !base.some(isLeftOut)
  return isSame ? retry.attempt : 0
}

/**
 * Starts a bisection run of the pinned tip, the proven members, and a prefix of the open members.
 */
export function startBisectionRun(
  step: Step,
  bisection: BisectionView,
  tested: readonly PullRequestNumber[],
  attempt: number,
): void {
  const base = baseOf(bisection)
  startRun(step, {
    owner: { kind: 'bisection', bisection: bisection.id },
    tip: bisection.tip,
    base,
    tested: [...tested],
    submissions: memberContents(bisection, [...base, ...tested]),
    composition: compositionOf(bisection, tested),
    attempt,
  })
  moveAll(step, bisection.open, 'TESTING', null)
}

/** Starts a run of the branch by itself. It takes no slot. Rule: E-229. */
export function startTipRun(step: Step, { tip, composition }: Tip, attempt: number): void {
  const owner = { kind: 'tip' } as const
  startRun(step, { owner, tip, base: [], tested: [], submissions: [], composition, attempt })
}

function startRun(step: Step, details: Omit<TestRun, 'id' | 'startedAt' | 'deadline'>): void {
  const id = step.queue.last.testRun + 1
  const run = { id, startedAt: step.at, deadline: deadlineOf(step), ...details }
  step.emit({ type: 'testRunStarted', run })
  moveAll(step, run.tested, 'TESTING', null, id)
}

/** When a run that gets its whole time now times out. */
export function deadlineOf({ queue, at }: Step): Millis {
  return at + queue.configuration.testingTimeoutMinutes * minuteMs
}

// Text conflicts: a pull request that cannot be on one branch with another leaves its batch, and
// waits or is FAILED. Rules: E-66 to E-69, E-216.

/**
 * Takes a member of a group that waits for a run out of its batch, if it is in one. If it conflicts
 * with the tip it is FAILED, else it waits for the other one, which it conflicts with, or depends on and is not below it.
 */
export function setApart(
  step: Step,
  group: GroupView,
  number: PullRequestNumber,
  conflict: 'tip' | PullRequestNumber,
): void {
  const asText = conflict === 'tip' || !isAwaited(step.queue, group, number, conflict)
  const apart = group.members.length > 1 ? splitOff(step, group, number) : group
  move(step, number, 'TESTING', null)
  if (conflict === 'tip') {
    fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
    return
  }
  step.emit({ type: 'groupConflicted', group: apart.id, with: conflict, asText })
  move(step, number, 'PENDING_FAILURE', null)
  // From now on the compositions behind it leave it out.
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** True if the member depends on the other one, which is not below it. Behind its batch that may be below it. */
function isAwaited(
  queue: QueueView,
  group: GroupView,
  number: PullRequestNumber,
  other: PullRequestNumber,
): boolean {
  if (!missingOf(queue, number).includes(other)) return false
  return !group.members.includes(other) && !isInPredecessor(queue, other, group)
}

function splitOff(step: Step, group: GroupView, number: PullRequestNumber): GroupView {
  const { queue } = step
  const into = queue.last.group + 1
  const index = indexBehind(queue, group, number)
  const members = [number]
  step.emit({ type: 'groupSplit', group: group.id, members, into, index, cause: 'conflict' })
  return queue.groups[into] ?? group
}

/**
 * A member that leaves its batch enters the line behind the batch, and behind those that left it
 * before and are ahead of it in the pending order. Rule: E-69.
 */
function indexBehind(queue: QueueView, batch: GroupView, number: PullRequestNumber): number {
  const { line, groups } = queue
  const origin = batch.partOf ?? batch.id
  const isAhead = (id: GroupId): boolean => {
    const part = groups[id]
    if (part?.partOf !== origin) return false
    const [first] = part.members
    return first !== undefined && isBefore(queue, first, number)
  }
  return Math.max(line.indexOf(batch.id), line.findLastIndex(isAhead)) + 1
}

/** True if the first one is ahead of the second one in the pending order. */
function isBefore(
  { pullRequests }: QueueView,
  first: PullRequestNumber,
  second: PullRequestNumber,
): boolean {
  const [ahead, behind] = [pullRequests[first], pullRequests[second]]
  return ahead !== undefined && behind !== undefined && orderKey(ahead) < orderKey(behind)
}
