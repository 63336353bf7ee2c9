/** Moves of one or several pull requests along the transition table. */

import type { PullRequestState, Reason, RestartReason } from '../model/pull-request.ts'
import type {
  PullRequestNumber,
  TestRun,
  TestRunId,
  GroupId,
  GroupView,
  QueueView,
  Retry,
} from '../model/state.ts'
import type { PullRequestMoved } from '../protocol/events.ts'
import type { Step } from '../evolve/step.ts'
import { contentsOf, contentOf } from '../model/content.ts'
import {
  findInPhase,
  isBeingMerged,
  groupsInLine,
  hasBegunToMerge,
  holds,
  holdsGroup,
  isLeftOut,
  isPredecessor,
  membersBelow,
  runOf,
} from '../model/predecessors.ts'
import { isWider, sharesTarget, type ImpactedTargets } from '../model/targets.ts'
import { extend } from '../model/ids.ts'

type MoveDetails = Partial<
  Pick<PullRequestMoved, 'testRun' | 'evidence' | 'turn' | 'leftWith' | 'quarantined'>
>

/** Moves one pull request. Throws (in `evolve`) if the table has no row for the move. */
export function move(
  step: Step,
  number: PullRequestNumber,
  to: PullRequestState,
  reason: Reason | null,
  details: MoveDetails = {},
): void {
  const from = step.queue.pullRequests[number]?.state
  if (from === undefined) throw new Error(`pull request ${number} was never submitted`)
  step.emit({ type: 'pullRequestMoved', number, from, to, reason, testRun: null, ...details })
}

/** Moves each pull request that is not in that state already. */
export function moveAll(
  step: Step,
  numbers: readonly PullRequestNumber[],
  to: PullRequestState,
  reason: Reason | null,
  testRun: TestRunId | null = null,
): void {
  for (const number of [...numbers]) {
    if (step.queue.pullRequests[number]?.state !== to) move(step, number, to, reason, { testRun })
  }
}

/** Moves each that has not passed already, because of a run that passed. */
export function passAll(
  step: Step,
  numbers: readonly PullRequestNumber[],
  reason: 'TEST_RUN_PASSED',
  run: TestRun,
): void {
  const details = passedBy(run)
  for (const number of [...numbers]) {
    if (step.queue.pullRequests[number]?.state === 'TESTS_PASSED') continue
    move(step, number, 'TESTS_PASSED', reason, details)
  }
}

/** What a move says of the run that passed. Rule: E-272. */
export const passedBy = ({ id, quarantined }: TestRun): MoveDetails => ({
  testRun: id,
  ...(quarantined ? { quarantined } : {}),
})

// Restarts: a group keeps its position and its members, and waits for a new run.
//
// Rules: E-27, E-47, E-95, E-292.

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
  // The compositions behind it left it out because of its conflict, and must contain it now.
  if (phase.kind === 'conflicted' || isPassed(step.queue, group)) letPass(step, group, reason)
}

/** True if one behind has begun to merge, and shares a target since an upload. Rules: E-95, E-292. */
function isPassed(queue: QueueView, { place, targets }: GroupView): boolean {
  const isAfter = (_: QueueView, other: GroupView): boolean =>
    other.place > place && hasBegunToMerge(other) && sharesTarget(other.targets, targets)
  return findInPhase(queue, 'passed', isAfter) !== undefined
}

function moveToEnd({ queue, emit }: Step, { id }: GroupView): void {
  const index = queue.line.length - 1
  if (queue.line[index] !== id) emit({ type: 'groupMoved', group: id, index })
}

/**
 * Targets were uploaded for a member of the group, which had the targets `before`. If they are more,
 * the group waits for those with which it shares one by now: it goes behind the last one under way
 * that was tested without it or has begun to merge, and restarts. One that has begun to merge goes
 * ahead instead, and they wait for it. Rules: E-95, E-143.
 */
export function followUpload(step: Step, group: GroupView, before: ImpactedTargets): void {
  const { queue } = step
  const { phase } = group
  if (phase.kind === 'conflicted' || !isWider(group.targets, before)) return
  const hasBegun = hasBegunToMerge(group)
  if (hasBegun) goAhead(step, group)
  const hasMoved = !hasBegun && goBehind(step, group)
  for (const other of groupsInLine(queue)) {
    const run = runOf(other)
    if (!run || !holdsGroup(queue, run, group) || (hasBegun && other === group)) continue
    if (hasMoved || hasLandedBeside(queue, run, group)) restartGroup(step, other, forAnUpload)
  }
  if (mustBeTestedOnMore(queue, group)) restartGroup(step, group, forAnUpload)
  restartOnTopOf(step, group.id, forAnUpload)
}

const forAnUpload = 'TESTS_RESTARTED_BY_API_REQUEST'

/**
 * Moves the group behind the last one that lands without it and depends on it by now. Returns true if
 * there is one.
 */
function goBehind({ queue, emit }: Step, group: GroupView): boolean {
  const last = groupsInLine(queue).findLast((other) => landsWithout(queue, other, group))
  if (!last) return false
  emit({ type: 'groupMoved', group: group.id, index: queue.line.indexOf(last.id) })
  return true
}

function landsWithout(queue: QueueView, other: GroupView, group: GroupView): boolean {
  const { phase } = other
  if (phase.kind === 'waiting' || isLeftOut(other)) return false
  // It will be tested once more, on top of what is below it then.
  if (phase.kind === 'testing' && phase.run.screening === true) return false
  const run = runOf(other)
  // One that has begun to merge waits for nobody, also if its run holds the group.
  const isWithout = hasBegunToMerge(other) || run === null || !holdsGroup(queue, run, group)
  return isWithout && isPredecessor(queue, group, other)
}

/** Moves the group ahead of the first one that can wait for it. */
function goAhead({ queue, emit }: Step, group: GroupView): void {
  const first = groupsInLine(queue).find(
    (ahead) =>
      ahead.place < group.place &&
      !hasBegunToMerge(ahead) &&
      !isLeftOut(ahead) &&
      sharesTarget(ahead.targets, group.targets),
  )
  if (first) emit({ type: 'groupMoved', group: group.id, index: queue.line.indexOf(first.id) })
}

/**
 * True if something has merged since the run started that shares a target with the group, and that the
 * run does not hold below it.
 */
function hasLandedBeside({ landed }: QueueView, run: TestRun, group: GroupView): boolean {
  const numbers = [...run.base, ...run.tested]
  const own = numbers.findIndex((number) => group.members.includes(number))
  const below = new Set(run.submissions.slice(0, own))
  return landed.some(
    ({ tip, content, targets }) =>
      tip > run.tip && !below.has(content) && sharesTarget(targets, group.targets),
  )
}

/** True if the group is under way, and its run does not hold everything below it. */
function mustBeTestedOnMore(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind === 'waiting' || isLeftOut(group) || hasBegunToMerge(group)) return false
  if (phase.kind === 'testing' && phase.run.screening === true) return false
  return !holdsAll(queue, group, membersBelow(queue, group))
}

/**
 * Groups behind this one are about to depend on it without containing it. One whose merging has begun cannot restart
 * any more, so it advances ahead of this one; the others restart.
 */
function letPass(step: Step, group: GroupView, reason: RestartReason): void {
  const { queue, emit } = step
  const behind = queue.line.slice(queue.line.indexOf(group.id) + 1)
  for (const id of behind) {
    const other = queue.groups[id]
    if (!other || !hasBegunToMerge(other)) continue
    emit({ type: 'groupMoved', group: id, index: queue.line.indexOf(group.id) })
  }
  restartOnTopOf(step, group.id, reason)
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
    const { phase } = other
    // One that is left out has no run, and waits for another one. Rules: E-266, E-310.
    const isStale =
      phase.kind === 'conflicted'
        ? phase.asText && group.members.includes(phase.with)
        : !holdsAll(queue, other, needed)
    if (isStale && isPredecessor(queue, group, other)) restartGroup(step, other, reason)
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
 * but not the group `except`, nor one that waits for what it depends on (E-266).
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
        ? phase.asText && numbers.includes(phase.with)
        : run !== null && contents.some((content) => run.submissions.includes(content))
    if (isAffected) restartGroup(step, group, reason)
  }
}

/** True if it waits for a pull request that it depends on, and not because of a text conflict. Rule: E-266. */
export const waitsForDependency = ({ phase }: GroupView): boolean =>
  phase.kind === 'conflicted' && !phase.asText

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
  const index = step.queue.line.indexOf(group.id) + 1
  step.emit({ type: 'groupSplit', group: group.id, members: rest, into, index, cause: 'merging' })
  moveAll(step, rest, 'PENDING', reason)
  const behind = step.queue.groups[into]
  if (behind && isPassed(step.queue, behind)) letPass(step, behind, reason)
}

// Merges: a pull request becomes one commit on the target branch.

/** Adds one commit to the branch: of a pull request, or of a push from outside (`null`). */
export function moveTip(step: Step, number: PullRequestNumber | null): void {
  const { queue } = step
  const tip = queue.tip.number + 1
  // Submissions have positive numbers, so a negative one is unique to this push.
  const content = number === null ? [-tip] : [contentOf(queue, number)]
  const composition = extend(queue.tip.composition, content)
  step.emit({ type: 'tipMoved', tip, number, composition })
}

/**
 * Somebody has pushed to the target branch: every group in the line restarts on the new tip, also groups
 * that passed or failed. Bisections stay pinned, and what they prove is tested again. Rule: E-109.
 */
export function takePush(step: Step): void {
  moveTip(step, null)
  restartLine(step, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** Merges the first member of a passed group. The group leaves the line with its last member. */
export function land(step: Step, group: GroupView, number: PullRequestNumber): void {
  const run = group.phase.kind === 'passed' ? group.phase.run : null
  moveTip(step, number)
  const reason = run ? 'MERGE_GRAPH_MERGE' : 'MERGE_GRAPH_DIRECT_MERGE'
  move(step, number, 'MERGED', reason, run ? passedBy(run) : {})
  if (group.members.length === 0) step.emit({ type: 'groupLeft', group: group.id })
}
