/** Chapters "Departures, restarts and the target branch" and "Groups": groups that start again. */

import type { RestartReason } from '../../../engine/index.ts'
import { cancelRun, move } from '../state/deeds.ts'
import { Group } from '../state/state.ts'
import type { Content, Model, Retry } from '../state/state.ts'
import { areSame, targetsOf } from '../state/targets.ts'
import { hasBegun, holds, membersBelow, predecessors, runOf } from './predecessors.ts'

/** E-27: it keeps its position and its members, and waits. */
export function restart(
  model: Model,
  group: Group,
  reason: RestartReason,
  retry: Retry | null = null,
): void {
  const { phase } = group
  if (phase.is === 'passed' && phase.merging !== null) {
    restartRest(model, group, phase.merging, reason)
    return
  }
  if (phase.is === 'waiting' && !phase.retry) return
  if (phase.is === 'testing' && model.mainRuns.includes(phase.run)) {
    cancelRun(model, phase.run, reason)
  }
  group.phase = { is: 'waiting', retry }
  group.tiedTo = []
  group.provenBy = null
  move(model, group.members, 'PENDING', reason)
  if (phase.is !== 'conflicting') return
  // E-67: the compositions behind it left it out, and now contain it.
  if (!takeTargets(model, group)) letBegunPass(model, group)
  restartOnTop(model, group, reason)
}

/** E-47: a member that the host merges is not touched; the others restart behind it. */
function restartRest(model: Model, group: Group, merging: number, reason: RestartReason): void {
  const rest = group.members.filter((number) => number !== merging)
  if (rest.length === 0) return
  const { targets } = group
  const areNew = !areSame(targetsOf(model, group.members), targets)
  const behind = splitOff(model, group, rest)
  // E-94: it does not start again.
  group.targets = targets
  move(model, rest, 'PENDING', reason)
  if (!areNew || model.settings.mode === 'single') return
  letBegunPass(model, behind)
  restartOnTop(model, behind, reason)
}

/** Some members become a group of their own, directly behind it or behind others. */
export function splitOff(
  model: Model,
  group: Group,
  members: readonly number[],
  isAhead: (other: Group) => boolean = () => false,
): Group {
  group.members = group.members.filter((number) => !members.includes(number))
  if (group.phase.is === 'waiting') group.phase = { is: 'waiting', retry: null }
  const behind = new Group(members, targetsOf(model, members), group.isUrgent)
  behind.origin = group.origin ?? group
  group.targets = targetsOf(model, group.members)
  const last = model.line.findLastIndex((each) => each === group || isAhead(each))
  model.line.splice(last + 1, 0, behind)
  return behind
}

/** E-94: targets take effect when the group starts again. True if they are new. */
export function takeTargets(model: Model, group: Group): boolean {
  const targets = targetsOf(model, group.members)
  if (model.settings.mode === 'single' || areSame(targets, group.targets)) return false
  letBegunPass(model, group)
  group.targets = targets
  return true
}

/** E-95: groups whose merging has begun go ahead of it. */
function letBegunPass(model: Model, group: Group): void {
  const at = model.line.indexOf(group)
  const behind = model.line.slice(at)
  const begun = behind.filter(hasBegun)
  const others = behind.filter((each) => !hasBegun(each))
  model.line = [...model.line.slice(0, at), ...begun, ...others]
}

/** E-95: groups that depend on it and do not contain it, or what is below it, restart. */
export function restartOnTop(model: Model, below: Group, reason: RestartReason): void {
  const needed = [...below.members, ...membersBelow(model, below)]
  for (const group of [...model.line]) {
    if (!predecessors(model, group).includes(below)) continue
    const run = runOf(group)
    if (!needed.every((number) => holds(model, run, number))) restart(model, group, reason)
  }
}

/** E-55, E-105: groups whose run or verdict contained one of these restart without it. */
export function restartWithout(
  model: Model,
  gone: readonly { readonly number: number; readonly content: Content }[],
  reason: RestartReason,
): void {
  for (const group of [...model.line]) {
    const { phase } = group
    const contents = runOf(group)?.contents ?? []
    const isAffected =
      phase.is === 'conflicting'
        ? gone.some(({ number }) => number === phase.with)
        : gone.some(({ content }) => contents.includes(content))
    if (isAffected) restart(model, group, reason)
  }
}
