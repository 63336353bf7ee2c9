/**
 * Dependencies between groups in parallel mode: each group depends on every earlier group with
 * which it shares a target. An index from target to groups finds these groups, so the cost of a new
 * group depends only on what it shares.
 *
 * In single mode every group depends on all groups ahead, and no dependencies are stored.
 */

import { hasBegunToMerge, holdsGroup, runOf } from '../model/predecessors.ts'
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
 * A group has entered the line: it depends on groups ahead that share a target, and groups behind
 * that share one depend on it.
 */
export function link(queue: Queue, group: Group): void {
  if (queue.configuration.mode === 'single') return
  group.targets = targetsWithUploads(queue, group)
  tie(queue, group)
  group.beside = queue.bisections
    .filter((bisection) => sharesTarget(bisection.targets, group.targets))
    .map(({ id }) => id)
  enterIndex(queue, group)
}

/**
 * Updates the targets of the group, and the dependencies. A group behind whose run contains it keeps
 * depending on it, whatever the new targets are. Rules: E-94, E-96.
 */
export function relink(queue: Queue, group: Group): void {
  if (queue.configuration.mode === 'single') return
  if (isSameTargets(targetsWithUploads(queue, group), group.targets)) {
    dependOnGroupsAhead(queue, group)
    return
  }
  unlink(queue, group)
  link(queue, group)
}

/** One that is under way keeps the targets of its start, whatever is uploaded. */
function targetsWithUploads(queue: Queue, group: Group): ImpactedTargets {
  const uploaded = targetsOf(queue.impactedTargets, group.members)
  return isYetToStart(group) ? uploaded : unionOf(group.targets, uploaded)
}

/** It has neither a run nor a verdict. */
const isYetToStart = ({ phase }: Group): boolean =>
  phase.kind === 'waiting' || phase.kind === 'conflicted'

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
 * keeps the dependencies that it has (E-96). One that has begun to merge gets no others (E-95).
 */
function dependOnGroupsAhead(queue: Queue, group: Group): void {
  const kept = isYetToStart(group) ? [] : group.dependsOn
  const shared = hasBegunToMerge(group) ? [] : groupsTouching(queue, group.targets)
  group.dependsOn = [...new Set([...kept, ...shared])].filter((id) => {
    const other = queue.groups[id]
    return other !== undefined && other.place < group.place
  })
}

function dependBehind(queue: Queue, group: Group): void {
  // From the end, because most groups are new and have none behind them.
  for (const id of queue.line.toReversed()) {
    if (id === group.id) return
    const behind = queue.groups[id]
    if (!behind) continue
    const depends = behind.dependsOn.includes(group.id)
    if (sharesTarget(behind.targets, group.targets)) {
      const canNeitherWait = hasBegunToMerge(behind) && hasBegunToMerge(group)
      if (!depends && !canNeitherWait) behind.dependsOn.push(group.id)
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
  const { targets } = group
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
 * The groups of the line that share a target with these targets; none in single mode, where no group
 * has targets.
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
  const { id, targets } = group
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
