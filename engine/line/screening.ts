/**
 * Screening: whether a group that waits is tested on top of its predecessors, or alone first.
 *
 * A run on top of groups that will probably not all pass is probably lost. Alone, the group is judged
 * whatever becomes of them, and groups that passed alone will probably pass together.
 * Rules: E-189, E-190, E-191.
 */

import { groupBehind, hasPredecessor, holdsGroup, predecessors } from '../model/predecessors.ts'
import type { GroupView, QueueView, TestRun } from '../model/state.ts'
import { isLikely } from './chances.ts'

/** What a waiting group is to run next: `nothing` if it waits for other groups. */
export type NextRun = 'on top' | 'alone' | 'nothing'

/** Decides what a group that waits is to run, as soon as a slot is free. */
export function nextRun(queue: QueueView, group: GroupView): NextRun {
  if (!queue.configuration.screening || !hasPredecessor(queue, group)) return 'on top'
  if (!isLikely(queue, group)) return group.screened ? 'nothing' : 'alone'
  return isClearedFromBehind(queue, group) ? 'nothing' : 'on top'
}

/**
 * With optimistic merging, of several screened groups only the last is tested: its run clears the
 * others.
 */
function isClearedFromBehind(queue: QueueView, group: GroupView): boolean {
  if (!group.screened || !queue.configuration.canOptimisticallyMerge) return false
  const behind = groupBehind(queue, group)
  if (!behind?.screened) return false
  const { phase } = behind
  if (phase.kind === 'testing') return holdsGroup(queue, phase.run, group)
  if (phase.kind !== 'waiting' || phase.retry) return false
  return predecessors(queue, behind).includes(group) && isLikely(queue, behind)
}

/** True if the run tested the group alone, and not all that a run on top would test by now. */
export function isOnlyScreening(queue: QueueView, group: GroupView, run: TestRun): boolean {
  return run.screening === true && (group.overtaken === true || hasPredecessor(queue, group))
}
