/**
 * Which groups a group depends on: each one ahead with which it shares a target. In single mode any
 * two groups share one.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import { hasBegunToMerge, isLeftOut, type LineGroup } from './line-group.ts'
import type { Line } from './line.ts'
import { shareTarget, type TargetSet } from './targets.ts'

/**
 * Whether the group has to be tested on top of the other one, and merged after it. One that has begun to
 * merge cannot wait any more.
 */
function dependsOn(group: LineGroup, ahead: LineGroup): boolean {
  return !hasBegunToMerge(group) && shareTarget(group.touched, ahead.touched)
}

/**
 * Whether the current run of the group, or the one that gave its verdict, includes the group ahead.
 * It then stays dependent on it. A screening run keeps the groups of its start, as far as they still share a
 * target.
 */
function isOnTopOf({ status, builtOn, run, touched }: LineGroup, ahead: LineGroup): boolean {
  if (status === 'waiting' || !builtOn.has(ahead.id)) return false
  return run?.screening !== true || shareTarget(touched, ahead.touched)
}

/** Whether the group has to merge after the one ahead. */
export function isBelow(group: LineGroup, ahead: LineGroup): boolean {
  return dependsOn(group, ahead) || isOnTopOf(group, ahead)
}

/** The first group that has to merge before this one, if any. */
export function firstPredecessorOf(
  groups: readonly LineGroup[],
  group: LineGroup,
): LineGroup | undefined {
  for (const ahead of groups) {
    if (ahead === group) return undefined
    if (isLeftOut(ahead)) continue
    if (isBelow(group, ahead)) return ahead
  }
  return undefined
}

/**
 * The impacted targets of a commit that lands now. A push touches everything. So does a merge by hand
 * out of turn, which counts as a push. Rules: E-110, E-153.
 */
export function touchedByCommit(line: Line, number: PullRequestNumber | null): TargetSet {
  const group = number === null ? undefined : line.groupOf(number)
  const isNext = group?.members[0] === number && !isLeftOut(group)
  return group && isNext && !firstPredecessorOf(line.groups, group) ? group.touched : 'ALL'
}
