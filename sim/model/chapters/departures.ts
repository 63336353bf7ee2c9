/** Chapter "Departures, restarts and the target branch". */

import type { CancelReason, FailureReason } from '../../../engine/index.ts'
import { departFromAll } from '../bisection/search.ts'
import { dropEmpty, groupOf, predecessors } from '../line/predecessors.ts'
import { restart, restartWithout } from '../line/restarts.ts'
import { cancelRun, evidence, move, prOf, say } from '../state/deeds.ts'
import type { Failure, Group, Model, Run } from '../state/state.ts'
import { share } from '../state/targets.ts'

type Cause = 'PREREQUISITE_MERGE_ITEM_FAILED' | 'PREREQUISITE_MERGE_ITEM_CANCELLED'

/** E-21, E-44, E-60: the pull request is FAILED, and the others continue without it. */
export function fail(
  model: Model,
  number: number,
  reason: FailureReason,
  shown: { readonly failure: Failure; readonly passed: Run | null } | null = null,
): void {
  const details = evidence(shown?.failure ?? null, shown?.passed ?? null)
  if (shown) {
    model.judged++
    model.judgedBad++
  }
  const group = groupOf(model, number)
  move(model, [number], 'FAILED', reason, details)
  takeOut(model, number, group, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-105. */
export function cancel(model: Model, number: number, reason: CancelReason): void {
  const group = groupOf(model, number)
  move(model, [number], 'CANCELLED', reason)
  takeOut(model, number, group, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

function takeOut(model: Model, number: number, group: Group | undefined, cause: Cause): void {
  leaveGroup(model, number, group, cause)
  restartWithout(model, [prOf(model, number)], cause)
  departFromAll(model, number, cause)
}

/** The run of a group without members is cancelled. */
function leaveGroup(
  model: Model,
  number: number,
  group: Group | undefined,
  cause: Cause | 'MANUAL_MERGE',
): void {
  if (!group) return
  const { phase } = group
  group.members = group.members.filter((each) => each !== number)
  if (phase.is === 'passed' && phase.merging === number) phase.merging = null
  if (group.members.length === 0 && phase.is === 'testing') {
    cancelRun(model, phase.run, cause)
  }
  dropEmpty(model)
}

/** A commit reaches the branch; null is a push from outside. */
export function commit(model: Model, number: number | null): void {
  const content = number === null ? -1 - model.branch.length : prOf(model, number).content
  const group = number === null ? undefined : groupOf(model, number)
  const isNext = number !== null && isNextToMerge(model, number, group)
  for (const bisection of model.bisections) {
    if (number !== null && bisection.inLine[0] === number && !bisection.isTipMoved) {
      // E-72, E-153: the pin moves along, without what merged beside it.
      bisection.inLine.shift()
      bisection.branch = [...bisection.branch, content]
      bisection.tip = model.branch.length + 1
      continue
    }
    const isBeside = isNext && group && !share(model, group.targets, bisection.targets)
    if (isBeside !== true) bisection.isTipMoved = true
  }
  model.branch = [...model.branch, content]
  // E-41.
  model.green = []
  say(model, 'branch', number === null ? 'push' : `merge ${number}`, 'E-43, E-114')
}

function isNextToMerge(model: Model, number: number, group: Group | undefined): boolean {
  if (!group || group.members[0] !== number || group.phase.is === 'conflicting') return false
  return predecessors(model, group).length === 0
}

/** E-109. */
export function push(model: Model): void {
  commit(model, null)
  restartAll(model)
}

function restartAll(model: Model): void {
  for (const group of [...model.line]) {
    restart(model, group, 'MANUAL_PUSH_TO_TARGET_BRANCH')
  }
}

/** E-110. */
export function mergeByHand(model: Model, number: number): void {
  const group = groupOf(model, number)
  const isNext = isNextToMerge(model, number, group)
  commit(model, number)
  move(model, [number], 'MERGED', 'MANUAL_MERGE')
  leaveGroup(model, number, group, 'MANUAL_MERGE')
  departFromAll(model, number, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  if (!isNext) restartAll(model)
}
