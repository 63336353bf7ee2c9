/**
 * The groups on top of a failed group: which of them have given a verdict, and which still can.
 *
 * Everything is derived from the line. A run that is lost, restarted or cancelled gives no verdict;
 * its group waits again, so it still can.
 *
 * Rules: E-56, E-57, E-131.
 */

import { holdsGroup, isLeftOut } from './predecessors.ts'
import type { GroupId, GroupPhase, GroupView, QueueView, TestRun } from './state.ts'
import type { ImpactedTargets } from './targets.ts'

/**
 * Returns how many groups behind have given a verdict on top of this one, with a run of their own.
 * It counts no further than `atMost`.
 */
export function verdictsOnTopOf(queue: QueueView, group: GroupView, atMost: number): number {
  let count = 0
  for (const kind of ['passed', 'failed'] as const) {
    for (const behind of groupsBehind(queue, kind, group)) {
      if (count >= atMost) return count
      if (hasOwnRunWith(queue, behind, group)) count++
    }
  }
  return count
}

/** True if the run of a group behind is in progress on top of this one. */
export function isTestedOnTopOf(queue: QueueView, group: GroupView): boolean {
  for (const behind of groupsBehind(queue, 'testing', group)) {
    if (hasOwnRunWith(queue, behind, group)) return true
  }
  return false
}

/**
 * True if a group behind waits for a slot, a retry or a restart, or is tested alone before it is
 * tested on top, and depends on this one.
 */
export function isAwaitedOnTopOf(queue: QueueView, group: GroupView): boolean {
  if (!hasAwaitedBehind(queue, group)) return false
  if (queue.configuration.mode === 'single') return true
  return groupsOnTopOf(queue, group).some(isAwaited)
}

function hasAwaitedBehind(queue: QueueView, group: GroupView): boolean {
  for (const kind of ['waiting', 'testing'] as const) {
    for (const behind of groupsBehind(queue, kind, group)) if (isAwaited(behind)) return true
  }
  return false
}

const isAwaited = ({ phase }: GroupView): boolean =>
  phase.kind === 'waiting' || (phase.kind === 'testing' && phase.run.screening === true)

/** Returns the targets of the group and of all groups on top of it. */
export function targetsOnTopOf(queue: QueueView, group: GroupView): ImpactedTargets {
  const names = new Set<string>()
  for (const { targets } of [group, ...groupsOnTopOf(queue, group)]) {
    if (targets === 'ALL') return 'ALL'
    for (const name of targets) names.add(name)
  }
  return [...names]
}

/** Yields the groups behind in this phase, the last one first. */
function* groupsBehind(
  queue: QueueView,
  kind: GroupPhase['kind'],
  { place }: GroupView,
): Generator<GroupView> {
  const ids = queue.phases[kind]
  for (let index = ids.length - 1; index >= 0; index--) {
    const behind = queue.groups[ids[index] ?? 0]
    if (!behind || behind.place <= place) return
    yield behind
  }
}

/** The run of its own that the group has, or that has given its verdict. */
function ownRunOf({ id, phase }: GroupView): TestRun | null {
  if (phase.kind === 'waiting' || phase.kind === 'conflicted' || !phase.run) return null
  const { owner } = phase.run
  return owner.kind === 'main' && owner.group === id ? phase.run : null
}

function hasOwnRunWith(queue: QueueView, behind: GroupView, group: GroupView): boolean {
  const run = ownRunOf(behind)
  return run !== null && holdsGroup(queue, run, group)
}

/** The groups that depend on this one, transitively. Parallel mode only. */
function groupsOnTopOf({ line, groups }: QueueView, group: GroupView): GroupView[] {
  const found: GroupView[] = []
  const ids = new Set<GroupId>([group.id])
  for (const id of line) {
    const behind = groups[id]
    if (!behind || isLeftOut(behind)) continue
    if (!behind.dependsOn.some((ahead) => ids.has(ahead))) continue
    ids.add(id)
    found.push(behind)
  }
  return found
}
