/**
 * What a group in the line that waits has to run next, read from the rules in the plainest way.
 *
 * Rules: E-189 to E-192.
 */

import { areLikelyBelow } from './chances.ts'
import type { Projections } from './ledger.ts'
import type { LineGroup } from './line-group.ts'
import { predecessorsOf } from './predecessors.ts'

export type DueRun = 'on top' | 'alone' | 'nothing'

/** What the group runs if a slot is free. It must be waiting. */
export function dueRunOf(ledger: Projections, group: LineGroup): DueRun {
  const { settings, line } = ledger
  if (settings.configuration.policy === 'documented') return 'on top'
  if (predecessorsOf(line.groups, group).length === 0) return 'on top'
  if (!areLikelyBelow(ledger, group)) return group.isScreened ? 'nothing' : 'alone'
  return group.isScreened && isClearedFromBehind(ledger, group) ? 'nothing' : 'on top'
}

/** Whether the run of the group directly behind will hold this one, and clear it. */
function isClearedFromBehind(ledger: Projections, group: LineGroup): boolean {
  const { settings, line } = ledger
  if (!settings.configuration.canOptimisticallyMerge) return false
  const behind = line.groups[line.groups.indexOf(group) + 1]
  if (!behind?.isScreened) return false
  if (behind.status === 'testing') {
    return group.members.some((number) => behind.run?.base.includes(number))
  }
  if (behind.status !== 'waiting' || behind.notBefore !== null) return false
  if (!predecessorsOf(line.groups, behind).includes(group)) return false
  return areLikelyBelow(ledger, behind)
}
