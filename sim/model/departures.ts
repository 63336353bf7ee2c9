/** Chapter "Departures, restarts and the target branch". */

import type { CancelReason, FailureReason, Reason } from '../../engine/index.ts'
import { groupOf, leaveGroup, predecessors, share, splitOff, targetsOf } from './groups.ts'
import { cancelRun, hasBegun, move, without } from './state.ts'
import type { Evidence, Group, Model, Phase, PullRequest } from './state.ts'
import { leaveBisections } from './survivors.ts'

/** E-44, E-60: it is FAILED, because of a run or of none, and the others continue without it. */
export function fail(model: Model, one: PullRequest, reason: FailureReason, of: Evidence = {}) {
  if (of.failure) model.judged.push('bad')
  move(model, [one], 'FAILED', reason, of)
  takeOut(model, one, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-105. */
export function cancel(model: Model, one: PullRequest, reason: CancelReason): void {
  move(model, [one], 'CANCELLED', reason)
  takeOut(model, one, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

/** E-46, E-221: cancels that were stored during a merge take effect. */
export function cancelStored(model: Model, { members }: Group): void {
  for (const each of members) if (each.leavingFor) cancel(model, each, each.leavingFor)
}

function takeOut(model: Model, one: PullRequest, cause: Reason): void {
  leaveGroup(model, one, cause)
  restartWithout(model, [one], cause)
  leaveBisections(model, one, cause)
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
      bisection.isTipMoved = true // E-153.
    }
  }
  model.branch = [...model.branch, content]
  model.green = [] // E-41.
  for (const { phase } of group ? [] : model.line) if (phase.merging) phase.isPushedTo = true // E-208.
  model.deeds.push({ is: 'commit', ...content })
}

/** The group without predecessors of which this is the first member. */
function nextGroupWith(model: Model, one: PullRequest | null): Group | undefined {
  const group = model.line.find(({ members }) => members[0] === one)
  const isApart =
    !group || group.phase.is === 'conflicting' || predecessors(model, group).length > 0
  return isApart ? undefined : group
}

/** E-109. */
export function push(model: Model): void {
  commit(model, null)
  for (const each of model.line) restart(model, each, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** E-110. */
export function mergeByHand(model: Model, one: PullRequest): void {
  const group = groupOf(model, one)
  const wasNext = nextGroupWith(model, one) !== undefined
  commit(model, one)
  move(model, [one], 'MERGED', 'MANUAL_MERGE')
  leaveGroup(model, one, 'MANUAL_MERGE')
  if (group && !group.phase.merging) cancelStored(model, group)
  leaveBisections(model, one, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  for (const each of wasNext ? [] : model.line) restart(model, each, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** E-27: it keeps its position and its members, and waits. `as`: it waits to repeat a lost run. */
export function restart(model: Model, group: Group, reason: Reason, as?: Phase): void {
  const { is, run } = group.phase
  if (group.phase.merging) return restartRest(model, group, reason)
  if (is === 'waiting' && !run) return
  if (is === 'testing' && run && model.runs.includes(run)) cancelRun(model, run, reason)
  group.phase = as ?? { is: 'waiting' }
  group.tiedTo.clear()
  group.provenBy = null
  move(model, group.members, 'PENDING', reason)
  // E-67: the compositions behind it left it out, and now contain it.
  if (is !== 'conflicting') return
  takeTargets(model, group)
  restartOnTop(model, group, reason)
}

/** E-47: a member that the host merges is not touched; the others restart behind it. */
function restartRest(model: Model, group: Group, reason: Reason): void {
  const rest = without(group.members, ...(group.phase.merging ?? []))
  if (rest.length === 0) return
  const { targets } = group
  const areNew = takeTargets(model, group)
  const behind = splitOff(model, group, rest)
  group.targets = targets // E-94: it does not start again.
  move(model, rest, 'PENDING', reason)
  if (areNew) restartOnTop(model, behind, reason)
}

/** E-94: the last uploads take effect when a group starts again. True if they are new. */
export function takeTargets(model: Model, group: Group): boolean {
  const before = JSON.stringify(group.targets)
  group.targets = targetsOf(model, ...group.members)
  return model.settings.mode === 'parallel' && JSON.stringify(group.targets) !== before
}

/** E-95: groups that depend on it and do not contain it, or what is below it, restart. */
export function restartOnTop(model: Model, below: Group, reason: Reason): void {
  // Groups whose merging has begun go ahead of it.
  const behind = model.line.slice(model.line.indexOf(below))
  const begun = behind.filter(hasBegun)
  model.line = [...without(model.line, ...behind), ...begun, ...without(behind, ...begun)]
  const needed = [...predecessors(model, below), below].flatMap(({ members }) => members)
  for (const group of model.line) {
    const contents = group.phase.run?.contents ?? []
    const isOnTop = predecessors(model, group).includes(below)
    if (isOnTop && !needed.every((each) => contents.includes(each))) restart(model, group, reason)
  }
}

/** E-55, E-105: groups whose run or verdict contained one of these restart without it. */
export function restartWithout(model: Model, gone: readonly PullRequest[], reason: Reason): void {
  for (const group of model.line) {
    const needed = new Set([...(group.phase.run?.contents ?? []), group.phase.with])
    if (gone.some((each) => needed.has(each))) restart(model, group, reason)
  }
}
