import { fail } from '../transitions/depart.ts'
import { passedRunOn } from '../transitions/flakes.ts'
import { moveAll } from '../line/moves.ts'
import { findInPhase, groupsInPhase, holds } from '../model/predecessors.ts'
import { restartLineWithout } from '../line/restart.ts'
import type { GroupView, PullRequestNumber, QueueView, TestRunId } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import type { Rule } from './rule.ts'

/**
 * A failure counts once every predecessor has merged, so that it is the group's own, and all noted
 * successor runs are over. Then a single pull request is FAILED, and a batch is bisected.
 */
export const settleFailure: Rule = (step) => {
  const group = findInPhase(step.queue, 'failed', isDue)
  if (group?.phase.kind !== 'failed') return false
  const { run, reason, failedTests } = group.phase
  const [number, ...others] = group.members
  if (number === undefined) return false
  if (others.length > 0) {
    bisect(step, group)
    return true
  }
  const passedWithout = passedRunOn(step.queue, step.queue.tip.composition)
  fail(step, number, reason, { failedIn: run.id, passedWithout, failedTests })
  return true
}

/**
 * With `pendingFailureDepth` d, a failure that is the group's own waits for the runs of the first d
 * successors. The runs in progress are noted once, after free slots have been filled. If several
 * failures are due, one without successors goes first, so that the groups that restart because of
 * it count among the successors of the others.
 */
export const noteSuccessors: Rule = (step) => {
  const { queue } = step
  if (!findInPhase(queue, 'failed', isToBeNoted)) return false
  const notes = groupsInPhase(queue, 'failed')
    .filter((candidate) => isToBeNoted(queue, candidate))
    .map((group) => ({ group: group.id, testRuns: successorsOf(queue, group) }))
  const note = notes.find(({ testRuns }) => testRuns.length === 0) ?? notes[0]
  if (!note) return false
  step.emit({ type: 'successorsNoted', ...note })
  return true
}

function successorsOf(queue: QueueView, { members }: GroupView): TestRunId[] {
  const [first] = members
  if (first === undefined) return []
  const found: TestRunId[] = []
  for (const { phase } of groupsInPhase(queue, 'testing')) {
    if (found.length === queue.configuration.pendingFailureDepth) break
    if (phase.kind !== 'testing') continue
    const { run } = phase
    if (!run.tested.includes(first) && holds(queue, run, first)) found.push(run.id)
  }
  return found
}

/**
 * True if all pull requests below the failed run have merged. They merge in order, so the last one
 * is checked first: this runs at every step, and mostly the last one has not merged.
 */
function isOwnFailure(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind !== 'failed') return false
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

function isToBeNoted(queue: QueueView, group: GroupView): boolean {
  return isUnnoted(queue, group) && isOwnFailure(queue, group)
}

/** True if its successors must still be noted. */
function isUnnoted({ configuration }: QueueView, { phase }: GroupView): boolean {
  return phase.kind === 'failed' && phase.noted === null && configuration.pendingFailureDepth > 0
}

function isDue(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind !== 'failed' || isUnnoted(queue, group)) return false
  const isHeld = phase.noted?.some((id) => id in queue.testRuns) ?? false
  return !isHeld && isOwnFailure(queue, group)
}

function bisect(step: Step, group: GroupView): void {
  const members = [...group.members]
  const bisection = step.queue.last.bisection + 1
  step.emit({ type: 'bisectionStarted', bisection, group: group.id, members })
  moveAll(step, members, 'PENDING', 'BISECTION_REQUIRED')
  restartLineWithout(step, members, 'PREREQUISITE_MERGE_ITEM_FAILED')
}
