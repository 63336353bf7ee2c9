/**
 * Who is below whom. A group depends on each one ahead with which it shares a target; in single
 * mode any two share one.
 */

import type { PullRequestNumber } from '../../../engine/index.ts'
import type { LineGroup } from './line.ts'
import { shareTarget } from './targets.ts'

/** Whether a group cannot be tested or merged without regard to one ahead of it. */
function dependsOn(group: LineGroup, ahead: LineGroup): boolean {
  return shareTarget(group.touched, ahead.touched)
}

/** Whether the group is being tested, or was, on top of one ahead: it stays there. */
function isOnTopOf({ stand, ground }: LineGroup, ahead: LineGroup): boolean {
  return stand !== 'waiting' && ground.has(ahead.id)
}

/**
 * The groups ahead that a run of the group includes, transitively, in line order. One that
 * conflicts as text with somebody ahead of it is left out until its fate is known.
 */
function predecessorsOf(groups: readonly LineGroup[], group: LineGroup): LineGroup[] {
  const found: LineGroup[] = []
  for (let index = groups.indexOf(group) - 1; index >= 0; index--) {
    const ahead = groups[index]
    if (!ahead || ahead.stand === 'conflicted') continue
    if (dependsOn(group, ahead) || isBelowAny(found, ahead)) found.push(ahead)
  }
  return found.reverse()
}

function isBelowAny(groups: readonly LineGroup[], ahead: LineGroup): boolean {
  return groups.some((group) => dependsOn(group, ahead) || isOnTopOf(group, ahead))
}

/** Those whom a run of the group has below what it tests, in order. */
export function numbersBelow(groups: readonly LineGroup[], group: LineGroup): PullRequestNumber[] {
  const numbers: PullRequestNumber[] = []
  for (const { members } of predecessorsOf(groups, group)) {
    for (const number of members) numbers.push(number)
  }
  return numbers
}

/** The first group that the group has to wait for before it may merge, if any. */
export function firstPredecessorOf(
  groups: readonly LineGroup[],
  group: LineGroup,
): LineGroup | undefined {
  for (const ahead of groups) {
    if (ahead === group) return undefined
    if (ahead.stand === 'conflicted') continue
    if (dependsOn(group, ahead) || isOnTopOf(group, ahead)) return ahead
  }
  return undefined
}
