/** Chapter "Departures, restarts and the target branch": who leaves, and what is on the branch. */

import type { CancelReason, FailureReason } from '../../engine/index.ts'
import { cancelRun, move } from './deeds.ts'
import { groupOf, predecessors, takeFrom } from './groups.ts'
import { share } from './parallel-mode.ts'
import { restartAll, restartWithout } from './restarts.ts'
import type { Group, Model, PullRequest, Result } from './state.ts'
import { leaveBisections } from './survivors.ts'
import { deed, textOfEvidence } from './words.ts'

type Cause = 'PREREQUISITE_MERGE_ITEM_FAILED' | 'PREREQUISITE_MERGE_ITEM_CANCELLED'

/** E-44, E-60: it is FAILED, because of a run or of none, and the others continue without it. */
export function fail(
  model: Model,
  one: PullRequest,
  reason: FailureReason,
  failure?: Result,
  base?: Result,
): void {
  if (failure) {
    // E-159.
    model.judged++
    model.judgedBad++
  }
  // E-21, E-182: the run that passed without it, on the same base.
  const passed = base?.reason === null ? base.run.id : null
  const evidence = textOfEvidence(failure?.run.id ?? null, failure?.tests ?? [], passed)
  move(model, [one], 'FAILED', reason, evidence)
  takeOut(model, one, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-105. */
export function cancel(model: Model, one: PullRequest, reason: CancelReason): void {
  move(model, [one], 'CANCELLED', reason)
  takeOut(model, one, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

function takeOut(model: Model, one: PullRequest, cause: Cause): void {
  leaveGroup(model, one, cause)
  restartWithout(model, [one], cause)
  leaveBisections(model, one, cause)
}

/** The run of a group without members is cancelled. */
function leaveGroup(model: Model, one: PullRequest, cause: Cause | 'MANUAL_MERGE'): void {
  const group = groupOf(model, one)
  if (!group) return
  const { is, run, merging } = group.phase
  if (merging === one) group.phase.merging = undefined
  takeFrom(model, group, one)
  if (group.members.length === 0 && is === 'testing' && run) cancelRun(model, run, cause)
}

/** A commit reaches the branch; null is a push from outside. */
export function commit(model: Model, one: PullRequest | null): void {
  const content = one ?? { number: null }
  const group = nextGroupWith(model, one)
  for (const bisection of model.bisections) {
    if (bisection.inLine[0] === content && !bisection.isTipMoved) {
      // E-72, E-152: the pin moves along, without what merged beside it.
      bisection.inLine = bisection.inLine.slice(1)
      bisection.branch = [...bisection.branch, content]
      bisection.tip = model.branch.length + 1
    } else if (!group || share(model, group.targets, bisection.targets)) {
      // E-153.
      bisection.isTipMoved = true
    }
  }
  model.branch = [...model.branch, content]
  // E-41.
  model.green = []
  model.deeds.push(deed('branch', one ? `merge ${one.number}` : 'push'))
}

/** The group without predecessors of which this is the first member. */
function nextGroupWith(model: Model, one: PullRequest | null): Group | undefined {
  return model.line.find((group) => {
    if (group.members[0] !== one || group.phase.is === 'conflicting') return false
    return predecessors(model, group).length === 0
  })
}

/** E-109. */
export function push(model: Model): void {
  commit(model, null)
  restartAll(model, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** E-110. */
export function mergeByHand(model: Model, one: PullRequest): void {
  const wasNext = nextGroupWith(model, one) !== undefined
  commit(model, one)
  move(model, [one], 'MERGED', 'MANUAL_MERGE')
  leaveGroup(model, one, 'MANUAL_MERGE')
  leaveBisections(model, one, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  if (!wasNext) restartAll(model, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}
