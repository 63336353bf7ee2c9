/** Chapter "Groups, the line and compositions", with what parallel mode adds to it. */

import { prOf } from '../state/deeds.ts'
import type { Bisection, Content, Group, Model, Run } from '../state/state.ts'
import { share, targetsOf } from '../state/targets.ts'

export function groupOf(model: Model, number: number): Group | undefined {
  return model.line.find(({ members }) => members.includes(number))
}

export function bisectionOf(model: Model, number: number): Bisection | undefined {
  return model.bisections.find(
    ({ open, proven }) => open.includes(number) || proven.includes(number),
  )
}

/** The run that the group stands on: under way, its verdict, or one to be repeated. */
export function runOf({ phase }: Group): Run | null {
  if (phase.is === 'waiting') return phase.retry?.run ?? null
  if (phase.is === 'failed') return phase.failure.run
  return phase.is === 'conflicting' ? null : phase.run
}

export function holds(model: Model, run: Run | null, number: number): boolean {
  return run?.contents.includes(prOf(model, number).content) === true
}

/** E-92: it depends on earlier groups that share a target, E-96: and on those that did before. */
function dependsOn(model: Model, group: Group, ahead: Group): boolean {
  if (ahead.phase.is === 'conflicting') return false
  if (share(model, group.targets, ahead.targets)) return true
  // E-94: a group that starts later also depends on it by targets uploaded meanwhile.
  const isToStart = group.phase.is === 'waiting'
  if (isToStart && share(model, group.targets, targetsOf(model, ahead.members))) return true
  const isTied = contentsOf(model, ahead.members).some((each) => group.tiedTo.includes(each))
  // E-96 is about runs. Without one, only an upload that still counts ties it.
  if (group.phase.is !== 'conflicting') return isTied
  return isTied && share(model, group.targets, targetsOf(model, ahead.members))
}

/** E-11: the unmerged groups ahead on which it depends, transitively, in the order of the line. */
export function predecessors(model: Model, group: Group): Group[] {
  const ahead = model.line.slice(0, model.line.indexOf(group))
  const found: Group[] = []
  for (const each of ahead.reverse()) {
    const isBelow = [group, ...found].some((above) => dependsOn(model, above, each))
    if (isBelow) found.unshift(each)
  }
  return found
}

/** E-143: what is below it and shares a target with it only since an upload. */
export function tiedByUploads(model: Model, group: Group): Content[] {
  const below = predecessors(model, group)
  const tied = below.filter(({ members }) => share(model, group.targets, targetsOf(model, members)))
  return tied.flatMap(({ members }) => contentsOf(model, members))
}

/** E-96, E-154: ties groups to those that their run contains and that share a target now. */
export function tie(model: Model): void {
  for (const [at, group] of model.line.entries()) {
    const run = group.phase.is === 'waiting' ? null : runOf(group)
    if (!run && group.phase.is !== 'conflicting') group.tiedTo = []
    for (const { targets, members } of model.line.slice(0, at)) {
      if (!run || !share(model, group.targets, targets)) continue
      const contents = contentsOf(model, members).filter((each) => run.contents.includes(each))
      group.tiedTo = [...new Set([...group.tiedTo, ...contents])]
    }
  }
}

/** E-12: what a main run of the group has below it. */
export function membersBelow(model: Model, group: Group): number[] {
  return predecessors(model, group).flatMap(({ members }) => members)
}

/** E-13. */
export function contentsOf(model: Model, numbers: readonly number[]): Content[] {
  return numbers.map((number) => prOf(model, number).content)
}

export function hasBegun({ phase }: Group): boolean {
  return phase.is === 'passed' && (phase.begun || phase.merging !== null)
}

/** Groups without members are not in the line. */
export function dropEmpty(model: Model): void {
  model.line = model.line.filter(({ members }) => members.length > 0)
}
