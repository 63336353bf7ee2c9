/**
 * Who depends on whom in parallel mode: each group on every earlier one with which it shares a
 * target. An index from target to groups finds them, so a new group costs by what it shares.
 *
 * In single mode everybody depends on everybody ahead, and none of this is kept.
 */

import { holds, runOf } from '../line/predecessors.ts'
import type { Group, GroupId, Queue } from '../model/state.ts'
import { sharesTarget, targetKey, targetsOf, type ImpactedTargets } from '../model/targets.ts'

/**
 * Takes the targets of the group's members as they are now, or these, and ties it to those it
 * shares one with: it depends on those ahead, those behind depend on it. Who is behind and has a
 * run still depends on it if it did before, whatever the targets are now: the run holds it.
 */
export function link(queue: Queue, group: Group, targets: ImpactedTargets | null = null): void {
  if (queue.configuration.mode === 'single') return
  unlink(queue, group)
  group.targets = targets ?? targetsOf(queue.impactedTargets, group.members)
  tie(queue, group)
  group.beside = queue.bisections
    .filter((bisection) => sharesTarget(bisection.targets, group.targets))
    .map(({ id }) => id)
  enterIndex(queue, group)
}

/** Ties the group, where it stands now, to those ahead and to those behind. */
export function tie(queue: Queue, group: Group): void {
  if (queue.configuration.mode === 'single') return
  dependOnThoseAhead(queue, group)
  dependBehind(queue, group)
}

/** A group that wants a new run depends on those ahead that share a target now, and no other. */
export function dependOnThoseAhead(queue: Queue, group: Group): void {
  group.dependsOn = [...groupsTouching(queue, group.targets)].filter((id) => {
    const other = queue.groups[id]
    return other !== undefined && other.place < group.place
  })
}

function dependBehind(queue: Queue, group: Group): void {
  const touching = new Set(groupsTouching(queue, group.targets))
  // Most groups are new, and nobody is behind them.
  for (let place = queue.line.length - 1; queue.line[place] !== group.id && place >= 0; place--) {
    const behind = queue.groups[queue.line[place] ?? 0]
    if (!behind) continue
    const depends = behind.dependsOn.includes(group.id)
    if (touching.has(behind.id)) {
      if (!depends) behind.dependsOn.push(group.id)
    } else if (depends && !hasRunWith(queue, behind, group)) {
      behind.dependsOn = behind.dependsOn.filter((id) => id !== group.id)
    }
  }
}

/** What a group is split into stays below those whose runs hold it: they depended on the whole. */
export function keepBelow(queue: Queue, part: Group, whole: Group): void {
  for (const id of queue.line.slice(queue.line.indexOf(part.id) + 1)) {
    const behind = queue.groups[id]
    if (!behind?.dependsOn.includes(whole.id) || behind.dependsOn.includes(part.id)) continue
    if (hasRunWith(queue, behind, part)) behind.dependsOn.push(part.id)
  }
}

/** A lost run holds nobody: it is made again of what is below then. */
function hasRunWith(queue: Queue, behind: Group, { members }: Group): boolean {
  const run = behind.phase.kind === 'waiting' ? null : runOf(behind)
  return run !== null && members.some((number) => holds(queue, run, number))
}

/** Takes the group out of the index. */
export function unlink(queue: Queue, group: Group): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.touching
  const removeFrom = (ids: GroupId[]): void => {
    const at = ids.indexOf(group.id)
    if (at !== -1) ids.splice(at, 1)
  }
  if (group.targets === 'ALL') {
    removeFrom(all)
    return
  }
  for (const name of group.targets) {
    const ids = byTarget[targetKey(name)]
    if (!ids) continue
    removeFrom(ids)
    if (ids.length === 0) delete byTarget[targetKey(name)]
  }
}

/** The groups of the line that share a target with these; nobody is asked in single mode. */
export function groupsTouching(queue: Queue, targets: ImpactedTargets): Iterable<GroupId> {
  if (queue.configuration.mode === 'single') return []
  if (targets === 'ALL') return queue.line
  const { byTarget, all } = queue.touching
  const found = new Set(all)
  for (const name of targets) {
    for (const id of byTarget[targetKey(name)] ?? []) found.add(id)
  }
  return found
}

/** Most targets are touched by one group: its list is made without room to grow. */
function enterIndex(queue: Queue, { id, targets }: Group): void {
  const { byTarget, all } = queue.touching
  if (targets === 'ALL') {
    all.push(id)
    return
  }
  for (const name of targets) {
    const key = targetKey(name)
    const ids = byTarget[key]
    if (ids) ids.push(id)
    else byTarget[key] = [id]
  }
}
