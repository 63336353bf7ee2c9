import { fail, noEvidence } from '../transitions/depart.ts'
import { moveAll, restartGroup, restartLineWithout, waitsForDependency } from '../line/moves.ts'
import { urgentPriority } from '../model/pending-order.ts'
import type { RunFailureReason } from '../model/pull-request.ts'
import {
  findInPhase,
  groupsInPhase,
  hasPredecessor,
  holdsGroup,
  isInPredecessor,
  isLeftOut,
} from '../model/predecessors.ts'
import type {
  GroupView,
  Millis,
  PullRequestNumber,
  QueueView,
  TestRun,
  GroupId,
  GroupPhase,
} from '../model/state.ts'
import { holdDepth, isConvinced, testsApart, testsTip } from '../model/policy.ts'
import {
  failureOfTip,
  isSound,
  passedRunOn,
  provenAfter,
  soundFrom,
  tipOf,
  tipRunOf,
} from '../model/tip-test.ts'
import type { Step, Rule } from '../evolve/step.ts'
import { deadlineOf } from '../transitions/start-run.ts'
import { wouldStartOnTopOf } from './start.ts'
import { missingOf } from '../model/stack.ts'
import type { ImpactedTargets } from '../model/targets.ts'

const failedByTests = 'TEST_RUN_REQUIRED_STATUS_FAILED'

/**
 * A failure counts once every predecessor has merged, so that it is the group's own, and its hold is
 * over. Then a single pull request is FAILED, and a batch is bisected; so is a single one whose
 * failed tests are not believed yet. If several failures are due, they are settled in the order of the line.
 */
export const settleFailure: Rule = (step) => {
  const isDue = (queue: QueueView, group: GroupView): boolean =>
    isFailureDue(queue, group, step.at) && !waitsForTip(queue, group)
  const group = findInPhase(step.queue, 'failed', isDue)
  if (group?.phase.kind !== 'failed') return false
  const { run, reason, failedTests } = group.phase
  const [number, ...others] = group.members
  if (number === undefined) return false
  if (others.length === 0 && group.overtaken && isUrgent(step.queue, number)) {
    restartGroup(step, group, 'PREREQUISITE_MERGE_ITEM_FAILED')
    return true
  }
  if (others.length > 0 || group.overtaken || isUnsureOfSingle(step.queue, number, reason)) {
    bisect(step, group, run, reason)
    return true
  }
  if (isOfOlderTip(step.queue, run)) {
    restartGroup(step, group, 'TARGET_BRANCH_FAILED')
    return true
  }
  const passedWithout = passedRunOn(step.queue, step.queue.tip.composition)
  fail(step, number, reason, { failedIn: run.id, passedWithout, failedTests })
  return true
}

/**
 * The hold of a failure begins when the failure is the group's own and does not count at once. Its
 * end is set then: after that, a successor without a run is not awaited.
 */
export const startHold: Rule = (step) => {
  const { queue, at } = step
  const heldUntil = deadlineOf(step)
  for (const group of groupsInPhase(queue, 'failed')) {
    const hasNoHold = group.phase.kind === 'failed' && group.phase.heldUntil === null
    if (!hasNoHold || !isOwnFailure(queue, group) || !isHeld(queue, group, at)) continue
    step.emit({ type: 'holdStarted', group: group.id, heldUntil })
  }
  return false
}

/** True if the failure is the group's own and not held. */
export function isFailureDue(queue: QueueView, group: GroupView, at: Millis): boolean {
  return isOwnFailure(queue, group) && !isHeld(queue, group, at)
}

/**
 * True if the group is to be FAILED and no run shows that the tip passes: its failure counts once the tip has
 * passed by itself. Rules: E-230, E-236, E-237.
 */
export function needsTip(queue: QueueView, { members, overtaken, phase }: GroupView): boolean {
  const [number, ...others] = members
  if (number === undefined || others.length > 0 || overtaken || phase.kind !== 'failed')
    return false
  if (isUnsureOfSingle(queue, number, phase.reason)) return false
  const { run, reason } = phase
  if (!isSound(queue, tipOf(queue), provenAfter(reason, run.id))) return true
  return isOfOlderTip(queue, run) && soundFrom(queue) === Infinity
}

/**
 * True if another lane has merged since the run began and may have mended the branch: that the tip passes now
 * does not show that the one passed on which the run failed. Rule: E-237.
 */
function isOfOlderTip(queue: QueueView, { tip }: TestRun): boolean {
  const { mode } = queue.configuration
  return testsTip(queue) && mode === 'parallel' && tip < queue.tip.number && tip < soundFrom(queue)
}

/** True if the branch is at fault, or may be: then no failure is acted upon before the tip has passed. */
function waitsForTip(queue: QueueView, group: GroupView): boolean {
  if (!testsTip(queue)) return false
  return failureOfTip(queue) !== null || tipRunOf(queue) !== undefined || needsTip(queue, group)
}

/**
 * With a depth d in force, a failure is held until d successors have given a verdict on top of
 * it, or until none is left that can. One that has no run yet is awaited for a limited time.
 */
function isHeld(queue: QueueView, group: GroupView, at: Millis): boolean {
  const { phase } = group
  if (phase.kind !== 'failed' || phase.aside) return false
  const isOnTop = (behind: GroupView): boolean => hasOwnRunWith(queue, behind, group)
  if (hasBehind(queue, group, ['passed', 'failed'], isOnTop, holdDepth(queue))) return false
  if (hasBehind(queue, group, ['testing'], isOnTop)) return true
  if (phase.heldUntil !== null && phase.heldUntil <= at) return false
  return (
    isAwaitedOnTopOf(queue, group) ||
    wouldStartOnTopOf(queue, at, () => targetsOnTopOf(queue, group))
  )
}

/**
 * True if all pull requests below the failed run have merged. They merge in order, so the last one
 * is checked first: this runs at every step, and mostly the last one has not merged.
 */
function isOwnFailure(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind !== 'failed') return false
  if (phase.run.screening && hasPredecessor(queue, group)) return false
  const { base, submissions } = phase.run
  for (let at = base.length - 1; at >= 0; at--) {
    if (!hasMerged(queue, base[at] ?? 0, submissions[at])) return false
  }
  return true
}

/**
 * True if that submission has merged. A newer submission implies it, because leaving without a
 * merge would have restarted the group.
 */
function hasMerged(
  queue: QueueView,
  number: PullRequestNumber,
  submission: number | undefined,
): boolean {
  const pullRequest = queue.pullRequests[number]
  return pullRequest?.state === 'MERGED' || pullRequest?.submission !== submission
}

/**
 * True if the failure of this group is looked at once more in a bisection of one member: a single
 * pull request whose failed tests do not convict it yet. An urgent one is not. Rule: E-201.
 */
function isUnsureOfSingle(
  queue: QueueView,
  number: PullRequestNumber,
  reason: RunFailureReason,
): boolean {
  if (reason !== failedByTests) return false
  if (isUrgent(queue, number)) return false
  return !isConvinced(queue, { failures: 1, withOthers: null })
}

/** It would lose its position in a bisection. Rules: E-201, E-306. */
const isUrgent = (queue: QueueView, number: PullRequestNumber): boolean =>
  queue.pullRequests[number]?.priority === urgentPriority

/** Begins the search for the culprits: in one bisection, or in one of each member. Rule: E-307. */
function bisect(step: Step, group: GroupView, run: TestRun, reason: RunFailureReason): void {
  const all = [...group.members]
  const isOlder = isOfOlderTip(step.queue, run)
  const isApart = all.length > 1 && testsApart(step.queue, all)
  // The failed run counts as a verdict unless the branch is another by now, or it was of others too.
  const isVoid = isApart || group.overtaken === true || (all.length > 1 && isOlder)
  const speaks = !isOlder && reason === failedByTests && (isApart || all.length === 1)
  const charge = isVoid && speaks ? { others: all.length - 1 } : {}
  for (const members of isApart ? all.map((number) => [number]) : [all]) {
    const bisection = step.queue.last.bisection + 1
    const overtaken = isVoid ? ({ overtaken: true } as const) : {}
    step.emit({
      type: 'bisectionStarted',
      bisection,
      group: group.id,
      members,
      ...overtaken,
      ...charge,
    })
  }
  moveAll(step, all, 'PENDING', 'BISECTION_REQUIRED')
  restartLineWithout(step, all, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

// The groups on top of a failed group: which of them have given a verdict, and which still can.
//
// Everything is derived from the line. A run that is lost, restarted or cancelled gives no verdict;
// its group waits again, so it still can.
//
// Rules: E-56, E-57, E-131.

/** True if at least so many groups behind, in these phases, are such ones. */
function hasBehind(
  queue: QueueView,
  group: GroupView,
  kinds: readonly GroupPhase['kind'][],
  is: (behind: GroupView) => boolean,
  atLeast = 1,
): boolean {
  let left = atLeast
  for (const kind of kinds) {
    for (const behind of groupsBehind(queue, kind, group)) {
      if (left === 0) return true
      if (is(behind)) left--
    }
  }
  return left === 0
}

/**
 * True if a group behind waits for a slot, a retry or a restart, or is tested alone before it is
 * tested on top, and depends on this one.
 */
function isAwaitedOnTopOf(queue: QueueView, group: GroupView): boolean {
  if (!hasBehind(queue, group, ['waiting', 'testing'], isAwaited)) return false
  if (queue.configuration.mode === 'single') return true
  return groupsOnTopOf(queue, group).some(isAwaited)
}

const isAwaited = ({ phase }: GroupView): boolean =>
  phase.kind === 'waiting' || (phase.kind === 'testing' && phase.run.screening === true)

/** Returns the targets of the group and of all groups on top of it. */
function targetsOnTopOf(queue: QueueView, group: GroupView): ImpactedTargets {
  const names = new Set<string>()
  for (const { targets } of [group, ...groupsOnTopOf(queue, group)]) {
    if (targets === 'ALL') return 'ALL'
    for (const name of targets) names.add(name)
  }
  return [...names]
}

/** Yields the groups behind in this phase, the last one first. */
function* groupsBehind(
  queue: QueueView,
  kind: GroupPhase['kind'],
  { place }: GroupView,
): Generator<GroupView> {
  const ids = queue.phases[kind]
  for (let index = ids.length - 1; index >= 0; index--) {
    const behind = queue.groups[ids[index] ?? 0]
    if (!behind || behind.place <= place) return
    yield behind
  }
}

/** The run of its own that the group has, or that has given its verdict. */
function ownRunOf({ id, phase }: GroupView): TestRun | null {
  if (phase.kind === 'waiting' || phase.kind === 'conflicted' || !phase.run) return null
  const { owner } = phase.run
  return owner.kind === 'main' && owner.group === id ? phase.run : null
}

function hasOwnRunWith(queue: QueueView, behind: GroupView, group: GroupView): boolean {
  const run = ownRunOf(behind)
  return run !== null && holdsGroup(queue, run, group)
}

/** The groups that depend on this one, transitively. Parallel mode only. */
function groupsOnTopOf({ line, groups }: QueueView, group: GroupView): GroupView[] {
  const found: GroupView[] = []
  const ids = new Set<GroupId>([group.id])
  for (const id of line) {
    const behind = groups[id]
    if (!behind || isLeftOut(behind)) continue
    if (!behind.dependsOn.some((ahead) => ids.has(ahead))) continue
    ids.add(id)
    found.push(behind)
  }
  return found
}

/**
 * A pull request with a text conflict is FAILED when the predecessor it conflicts with has merged.
 * If that predecessor leaves instead, `restartLineWithout` restarts the pull request. One that waits for what it
 * depends on is tested when all of that has merged or is below it. Rules: E-68, E-266.
 */
export const settleConflict: Rule = (step) => {
  const group = findInPhase(step.queue, 'conflicted', isDecided)
  const number = group?.members[0]
  if (!group || number === undefined) return false
  if (waitsForDependency(group)) {
    const [next] = awaitedBy(step.queue, group)
    if (next === undefined) restartGroup(step, group, 'MERGE_ITEM_NOW_READY')
    else step.emit({ type: 'groupConflicted', group: group.id, with: next, asText: false })
    return true
  }
  fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
  return true
}

function isDecided(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind !== 'conflicted') return false
  if (phase.asText) return queue.pullRequests[phase.with]?.state === 'MERGED'
  return !awaitedBy(queue, group).includes(phase.with)
}

/** Those that it depends on, and that have neither landed nor are below it. */
function awaitedBy(queue: QueueView, group: GroupView): readonly PullRequestNumber[] {
  const missing = group.members.flatMap((number) => missingOf(queue, number))
  return missing.filter((other) => !isInPredecessor(queue, other, group))
}
