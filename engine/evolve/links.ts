/**
 * Dependencies between groups in parallel mode: each group depends on every earlier group with
 * which it shares a target. An index from target to groups finds these groups, so the cost of a new
 * group depends only on what it shares.
 *
 * In single mode every group depends on all groups ahead, and no dependencies are stored.
 */

import { holdsGroup, runOf } from '../model/predecessors.ts'
import type { Group, GroupId, Queue } from '../model/state.ts'
import {
  isSameTargets,
  sharesTarget,
  targetKey,
  targetsOf,
  unionOf,
  type ImpactedTargets,
} from '../model/targets.ts'

/**
 * Updates the targets of the group (to `targets`, or to the current targets of its members) and its
 * dependencies: it depends on groups ahead that share a target, and groups behind that share one
 * depend on it. A group behind whose run contains it keeps depending on it, whatever the new
 * targets are.
 */
export function link(queue: Queue, group: Group, targets: ImpactedTargets | null = null): void {
  if (queue.configuration.mode === 'single') return
  unlink(queue, group)
  group.targets = targets ?? targetsOf(queue.impactedTargets, group.members)
  readUploads(queue, group)
  tie(queue, group)
  group.beside = queue.bisections
    .filter((bisection) => sharesTarget(bisection.targets, group.targets))
    .map(({ id }) => id)
  enterIndex(queue, group)
}

/**
 * Targets were uploaded for a member. Groups that start from now on depend on the group if they share
 * a target with the old or with the new list; so do those that wait for a run. Rule: E-94.
 */
export function announce(queue: Queue, group: Group): void {
  if (queue.configuration.mode === 'single') return
  unlink(queue, group)
  readUploads(queue, group)
  enterIndex(queue, group)
  for (const id of queue.phases.waiting) {
    const waiting = queue.groups[id]
    if (waiting) dependOnGroupsAhead(queue, waiting)
  }
}

function readUploads(queue: Queue, group: Group): void {
  const uploaded = targetsOf(queue.impactedTargets, group.members)
  if (isSameTargets(uploaded, group.targets)) delete group.announced
  else group.announced = unionOf(group.targets, uploaded)
}

/**
 * Updates the dependencies of the group for its current position: to groups ahead, from groups
 * behind, and none from groups ahead.
 */
export function tie(queue: Queue, group: Group): void {
  dependOnGroupsAhead(queue, group)
  dependBehind(queue, group)
  for (const id of queue.line) {
    if (id === group.id) return
    const ahead = queue.groups[id]
    if (ahead) ahead.dependsOn = ahead.dependsOn.filter((below) => below !== group.id)
  }
}

/**
 * Makes the group depend on the groups ahead that share a target with it now. One that is under way
 * keeps the dependencies that it has (E-96), and gets none from an upload (E-143).
 */
export function dependOnGroupsAhead(queue: Queue, group: Group): void {
  const isYetToStart = group.phase.kind === 'waiting'
  const kept = isYetToStart ? [] : group.dependsOn
  const found = new Set([...kept, ...groupsTouching(queue, group.targets)])
  group.dependsOn = [...found].filter((id) => {
    const other = queue.groups[id]
    if (other === undefined || other.place >= group.place) return false
    return isYetToStart || kept.includes(id) || sharesTarget(group.targets, other.targets)
  })
}

/**
 * A group that a successor clears while it waits starts no more: what was uploaded for groups ahead of it since
 * their last start does not count for it (E-143).
 */
export function dropUploadsAhead(queue: Queue, group: Group): void {
  group.dependsOn = group.dependsOn.filter((id) => {
    const ahead = queue.groups[id]
    return ahead !== undefined && sharesTarget(group.targets, ahead.targets)
  })
}

/** A group behind must share a target by the list of its last start, not only by a later one. */
function dependBehind(queue: Queue, group: Group): void {
  const { targets, announced = targets } = group
  // From the end, because most groups are new and have none behind them.
  for (const id of queue.line.toReversed()) {
    if (id === group.id) return
    const behind = queue.groups[id]
    if (!behind) continue
    const depends = behind.dependsOn.includes(group.id)
    const isYetToStart = behind.phase.kind === 'waiting'
    if (sharesTarget(behind.targets, isYetToStart ? announced : targets)) {
      if (!depends) behind.dependsOn.push(group.id)
    } else if (!hasRunWith(queue, behind, group)) {
      behind.dependsOn = behind.dependsOn.filter((ahead) => ahead !== group.id)
    }
  }
}

/**
 * After a split: groups behind that depended on the whole group also depend on its new part, if
 * their run contains a member of it.
 */
export function keepBelow(queue: Queue, part: Group, whole: Group): void {
  for (const id of queue.line) {
    const behind = queue.groups[id]
    if (!behind?.dependsOn.includes(whole.id)) continue
    if (hasRunWith(queue, behind, part)) behind.dependsOn.push(part.id)
  }
}

/**
 * A lost run does not count, because its repetition is composed from the groups below at that time.
 */
function hasRunWith(queue: Queue, behind: Group, group: Group): boolean {
  const run = behind.phase.kind === 'waiting' ? null : runOf(behind)
  return run !== null && holdsGroup(queue, run, group)
}

/** Removes the group from the index. */
export function unlink(queue: Queue, group: Group): void {
  const { byTarget, all } = queue.touching
  const targets = group.announced ?? group.targets
  const removeFrom = (ids: GroupId[]): void => {
    const at = ids.indexOf(group.id)
    if (at !== -1) ids.splice(at, 1)
  }
  if (targets === 'ALL') removeFrom(all)
  else {
    for (const name of targets) {
      const ids = byTarget[targetKey(name)]
      if (!ids) continue
      removeFrom(ids)
      if (ids.length === 0) delete byTarget[targetKey(name)]
    }
  }
}

/**
 * The groups of the line that share a target with these targets, by what they have announced; none
 * in single mode, where no group has targets.
 */
export function groupsTouching(queue: Queue, targets: ImpactedTargets): Iterable<GroupId> {
  if (targets === 'ALL') return queue.line
  const { byTarget, all } = queue.touching
  const found = new Set(all)
  for (const name of targets) {
    for (const id of byTarget[targetKey(name)] ?? []) found.add(id)
  }
  return found
}

/** Most targets belong to one group, so a new list is made without spare capacity. */
function enterIndex(queue: Queue, group: Group): void {
  const { id } = group
  const { byTarget, all } = queue.touching
  const targets = group.announced ?? group.targets
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
