/** Chapter "Groups, the line and compositions". */

import { startRun, move } from './deeds.ts'
import { dependsOn, sharesUpload, targetsOf } from './parallel-mode.ts'
import { Group, isSame, without } from './state.ts'
import type { Bisection, Content, Model, PullRequest } from './state.ts'

export const groupOf = (model: Model, one: PullRequest): Group | undefined =>
  model.line.find(({ members }) => members.includes(one))

/** The bisection in which it is open, or proven and not in the line. */
export const bisectionOf = (model: Model, one: PullRequest): Bisection | undefined =>
  model.bisections.find(({ open, proven }) => [...open, ...proven].includes(one))

export const hasBegun = ({ phase }: Group): boolean =>
  phase.begun === true || phase.merging !== undefined

/** E-11: the unmerged groups ahead on which it depends, transitively, in the order of the line. */
export function predecessors(model: Model, group: Group): Group[] {
  const ahead = model.line.slice(0, model.line.indexOf(group))
  const found: Group[] = []
  for (const each of ahead.reverse()) {
    if ([group, ...found].some((above) => dependsOn(model, above, each))) found.unshift(each)
  }
  return found
}

export const membersBelow = (model: Model, group: Group): PullRequest[] =>
  predecessors(model, group).flatMap(({ members }) => members)

/** E-12: a main run tests the tip, all predecessors and the group itself. */
export function startMainRun(model: Model, group: Group): void {
  const { branch } = model
  const [base, tested] = [membersBelow(model, group), group.members]
  const attempt = attemptOf(model, group, [...branch, ...base, ...tested])
  const of = { of: null, tip: branch.length, branch, base, tested, attempt }
  group.tiedTo = tiedByUploads(model, group)
  group.phase = { is: 'testing', run: startRun(model, of) }
  move(model, tested, 'TESTING')
}

/** E-143: what is below it and shares a target with it only since an upload. */
export function tiedByUploads(model: Model, group: Group): Set<PullRequest> {
  const below = predecessors(model, group)
  return new Set(
    below.flatMap(({ members }) => (sharesUpload(model, group, members) ? members : [])),
  )
}

/** E-63, E-158: tries are counted for one composition; merges of others do not change it. */
function attemptOf(model: Model, { phase: { run } }: Group, contents: readonly Content[]): number {
  const open = (all: readonly Content[]) => all.filter((each) => !model.branch.includes(each))
  return run && isSame(open(run.contents), open(contents)) ? run.attempt + 1 : 0
}

/** Takes one out of its group. Groups without members are not in the line. */
export function takeFrom(model: Model, group: Group, one: PullRequest): void {
  group.members = without(group.members, one)
  model.line = model.line.filter(({ members }) => members.length > 0)
}

/** Some members become a group of their own, directly behind it or behind others. */
export function splitOff(
  model: Model,
  group: Group,
  members: readonly PullRequest[],
  isAhead: (other: Group) => boolean = () => false,
): Group {
  group.members = group.members.filter((each) => !members.includes(each))
  group.targets = targetsOf(model, ...group.members)
  // E-63: its composition changes.
  if (group.phase.is === 'waiting') group.phase = { is: 'waiting' }
  const behind = new Group(members, targetsOf(model, ...members), group.isUrgent)
  behind.origin = group.origin ?? group
  const last = model.line.findLastIndex((each) => each === group || isAhead(each))
  model.line = model.line.toSpliced(last + 1, 0, behind)
  return behind
}
