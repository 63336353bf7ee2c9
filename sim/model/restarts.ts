/** Chapter "Departures, restarts and the target branch": groups that start again. */

import type { RestartReason } from '../../engine/index.ts'
import { cancelRun, move } from './deeds.ts'
import { hasBegun, membersBelow, predecessors, splitOff } from './groups.ts'
import { hasNewTargets, targetsOf } from './parallel-mode.ts'
import { without, type Group, type Model, type Phase, type PullRequest } from './state.ts'

const waiting: Phase = { is: 'waiting' }

/** E-27: it keeps its position and its members, and waits. `as`: it waits to repeat a lost run. */
export function restart(model: Model, group: Group, reason: RestartReason, as = waiting): void {
  const { is, run, merging } = group.phase
  if (merging) {
    restartRest(model, group, merging, reason)
    return
  }
  if (is === 'waiting' && !run) return
  if (is === 'testing' && run && model.runs.includes(run)) cancelRun(model, run, reason)
  group.phase = { ...as }
  group.tiedTo.clear()
  group.provenBy = null
  move(model, group.members, 'PENDING', reason)
  // E-67: the compositions behind it left it out, and now contain it.
  if (is !== 'conflicting') return
  takeTargets(model, group)
  restartOnTop(model, group, reason)
}

/** E-47: a member that the host merges is not touched; the others restart behind it. */
function restartRest(model: Model, group: Group, merging: PullRequest, reason: RestartReason) {
  const rest = without(group.members, merging)
  const [areNew, { targets }] = [hasNewTargets(model, group), group]
  if (rest.length === 0) return
  const behind = splitOff(model, group, rest)
  // E-94: it does not start again.
  group.targets = targets
  move(model, rest, 'PENDING', reason)
  if (areNew) restartOnTop(model, behind, reason)
}

/** E-94: targets take effect when the group starts again. True if they are new. */
export function takeTargets(model: Model, group: Group): boolean {
  const areNew = hasNewTargets(model, group)
  group.targets = targetsOf(model, ...group.members)
  return areNew
}

/** E-95: groups whose merging has begun go ahead of it. */
function letBegunPass(model: Model, group: Group): void {
  const at = model.line.indexOf(group)
  const [ahead, behind] = [model.line.slice(0, at), model.line.slice(at)]
  const begun = behind.filter(hasBegun)
  model.line = [...ahead, ...begun, ...without(behind, ...begun)]
}

/** E-95: groups that depend on it and do not contain it, or what is below it, restart. */
export function restartOnTop(model: Model, below: Group, reason: RestartReason): void {
  letBegunPass(model, below)
  const needed = [...below.members, ...membersBelow(model, below)]
  for (const group of model.line) {
    const contents = group.phase.run?.contents ?? []
    const isOnTop = predecessors(model, group).includes(below)
    if (isOnTop && !needed.every((each) => contents.includes(each))) restart(model, group, reason)
  }
}

/** E-55, E-105: groups whose run or verdict contained one of these restart without it. */
export function restartWithout(
  model: Model,
  gone: readonly PullRequest[],
  reason: RestartReason,
): void {
  for (const group of model.line) {
    const { run, with: other } = group.phase
    const isIn = (each: PullRequest): boolean =>
      each === other || run?.contents.includes(each) === true
    if (gone.some(isIn)) restart(model, group, reason)
  }
}

export function restartAll(model: Model, reason: RestartReason): void {
  for (const group of model.line) restart(model, group, reason)
}
