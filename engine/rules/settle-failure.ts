import { fail } from '../transitions/depart.ts'
import { moveAll } from '../line/moves.ts'
import { urgentPriority } from '../model/pending-order.ts'
import type { RunFailureReason } from '../model/pull-request-state.ts'
import { findInPhase, groupsInPhase, hasPredecessor } from '../model/predecessors.ts'
import { restartGroup, restartLineWithout } from '../line/restart.ts'
import type { GroupView, Millis, PullRequestNumber, QueueView, TestRun } from '../model/state.ts'
import {
  isAwaitedOnTopOf,
  isTestedOnTopOf,
  targetsOnTopOf,
  verdictsOnTopOf,
} from '../model/successors.ts'
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
import type { Step } from '../evolve/step.ts'
import { wouldStartOnTopOf } from './form-group.ts'
import type { Rule } from './rule.ts'

const minuteMs = 60_000

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
  const heldUntil = at + queue.configuration.testingTimeoutMinutes * minuteMs
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
  const depth = holdDepth(queue)
  if (phase.kind !== 'failed' || phase.aside || verdictsOnTopOf(queue, group, depth) >= depth)
    return false
  if (isTestedOnTopOf(queue, group)) return true
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
      ...{ bisection, group: group.id, members, ...overtaken, ...charge },
    })
  }
  moveAll(step, all, 'PENDING', 'BISECTION_REQUIRED')
  restartLineWithout(step, all, 'PREREQUISITE_MERGE_ITEM_FAILED')
}
