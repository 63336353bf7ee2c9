/** Chapters "Groups, the line and compositions" and "Parallel mode". */

import type { ImpactedTargets, Reason } from '../../engine/index.ts'
import { cancelRun, hasBegun, move, startRun, without } from './state.ts'
import type { Content, Group, Model, Phase, PullRequest } from './state.ts'

export const groupOf = (model: Model, one: PullRequest): Group | undefined =>
  model.line.find(({ members }) => members.includes(one))

export function newGroup(model: Model, members: readonly PullRequest[]): Group {
  const targets = targetsOf(model, ...members)
  const phase: Phase = { is: 'waiting' }
  return { members, targets, phase, tiedTo: new Set(), isUrgent: false }
}

/** The host has been asked to merge it. */
export const isBeingMerged = (model: Model, one: PullRequest): boolean =>
  groupOf(model, one)?.phase.merging?.includes(one) === true

/** E-11: the unmerged groups ahead on which it depends, in order. `evenBegun`: also if its merging has begun (E-95). */
export function predecessors(model: Model, group: Group, evenBegun = false): Group[] {
  const ahead = model.line.slice(0, model.line.indexOf(group))
  const found: Group[] = []
  for (const each of ahead.reverse()) {
    const dependsOn = (above: Group): boolean =>
      !(hasBegun(above) && (!evenBegun || hasBegun(each))) && isLinked(model, above, each)
    if (!isLeftOut(each) && [group, ...found].some(dependsOn)) found.unshift(each)
  }
  return found
}

/** E-12, E-189: a main run tests the tip, all predecessors unless it screens, and the group itself. */
export function startMainRun(model: Model, group: Group, isScreening: boolean): void {
  const below = isScreening ? [] : predecessors(model, group)
  const [base, tested] = [below.flatMap(({ members }) => members), group.members]
  const attempt = attemptOf(model, group, [...model.branch, ...base, ...tested])
  const plan = { of: null, tip: model.branch.length, base, tested, attempt, isScreening }
  group.isOvertaken = false
  group.phase = { is: 'testing', run: startRun(model, model.branch, plan) }
  move(model, tested, 'TESTING')
}

/** E-63, E-158: tries are counted for the same pull requests; merges of others change nothing. */
function attemptOf(model: Model, group: Group, now: readonly Content[]): number {
  const run = group.isOvertaken ? undefined : group.phase.run
  const changed = run ? [...without(run.contents, ...now), ...without(now, ...run.contents)] : []
  return run && without(changed, ...model.branch).length === 0 ? run.attempt + 1 : 0
}

/** It leaves its group. One without members leaves the line, and its run is cancelled. */
export function leaveGroup(model: Model, one: PullRequest, cause: Reason): void {
  const group = groupOf(model, one)
  if (!group) return
  const { is, run, merging } = group.phase
  // A merge by hand of the first one voids the request.
  if (merging) group.phase.merging = merging[0] === one ? undefined : without(merging, one)
  group.members = without(group.members, one)
  group.isScreened = false
  if (isYetToStart(group)) group.targets = targetsOf(model, ...group.members)
  if (group.members.length > 0) return
  model.line = without(model.line, group)
  if (is === 'testing' && run) cancelRun(model, run, cause)
}

/** Some members become a group of their own, directly behind it or behind others. */
export function splitOff(
  model: Model,
  group: Group,
  members: readonly PullRequest[],
  isAhead: (other: Group) => boolean = () => false,
): Group {
  group.members = without(group.members, ...members)
  group.isScreened = false
  for (const each of members) group.provenBy?.proofs.delete(each)
  if (isYetToStart(group)) group.targets = targetsOf(model, ...group.members)
  if (group.phase.is === 'waiting') group.phase = { is: 'waiting' } // E-63: it changes.
  const { isUrgent, origin = group } = group
  const behind = { ...newGroup(model, members), isUrgent, origin }
  const last = model.line.findLastIndex((each) => each === group || isAhead(each))
  model.line = model.line.toSpliced(last + 1, 0, behind)
  return behind
}

/** E-92: ALL shares with every list, also an empty one. In single mode all share. */
export function share(model: Model, some: ImpactedTargets, others: ImpactedTargets): boolean {
  if (model.settings.mode === 'single' || some === 'ALL' || others === 'ALL') return true
  return some.some((target) => others.includes(target))
}

/** The targets of both. */
export const union = (some: ImpactedTargets, others: ImpactedTargets): ImpactedTargets =>
  some === 'ALL' || others === 'ALL' ? 'ALL' : [...new Set([...some, ...others])]

/** Whether these have a target that the others have not. */
export const isWider = (some: ImpactedTargets, others: ImpactedTargets): boolean =>
  others !== 'ALL' && (some === 'ALL' || without(some, ...others).length > 0)

/** E-94: only one that is under way keeps the targets of its start. */
export const isYetToStart = ({ phase: { is } }: Group): boolean =>
  is === 'waiting' || is === 'conflicting'

/** E-94: by the last upload of each. */
export function targetsOf(model: Model, ...all: readonly PullRequest[]): ImpactedTargets {
  const each = all.map(({ number }) => model.targets.get(number) ?? [])
  const lists = each.filter((targets) => targets !== 'ALL')
  return lists.length < each.length ? 'ALL' : [...new Set(lists.flat())]
}

/** E-67, E-187: the compositions behind leave it out. */
export const isLeftOut = ({ phase: { is, isAside } }: Group): boolean =>
  is === 'conflicting' || isAside === true

/** E-92, E-96: two groups share a target, or did before. */
export const isLinked = (model: Model, group: Group, ahead: Group): boolean =>
  ahead.members.some((each) => group.tiedTo.has(each)) || share(model, group.targets, ahead.targets)

/** E-96, E-154: ties groups to those that their run contains and that share a target now. */
export function tie(model: Model): void {
  for (const [at, group] of model.line.entries()) {
    const { is, run } = group.phase
    if (is === 'waiting' || !run) continue
    const near = model.line.slice(0, at).filter((each) => share(model, group.targets, each.targets))
    const held = near.flatMap(({ members }) => members.filter((one) => run.contents.includes(one)))
    for (const each of held) group.tiedTo.add(each)
  }
}
