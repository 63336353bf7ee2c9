/**
 * Which survivors of bisections wait although a slot is free, read from the rules in the plainest way.
 *
 * Rules: E-212 to E-214.
 */

import { batchSize } from './batch-size.ts'
import type { Millis } from '../../engine/index.ts'
import type { Projections } from './ledger.ts'
import type { LineGroup } from './line-group.ts'
import { areLikelyBelow } from './chances.ts'

const minuteMs = 60_000

/** Whether it waits for the run of the group behind, or for survivors of other bisections. */
export function ridesAlong(ledger: Projections, group: LineGroup, at: Millis): boolean {
  if (!mayRide(ledger, group)) return false
  const behind = ledger.line.groups[ledger.line.groups.indexOf(group) + 1]
  if (!behind) return mayNextStart(ledger) || at < endOfWaitForOthers(ledger)
  if (behind.status === 'testing') {
    return group.members.some((number) => behind.run?.base.includes(number))
  }
  if (behind.status !== 'waiting' || behind.notBefore !== null) return false
  return !ledger.settings.configuration.screening || areLikelyBelow(ledger, behind)
}

/** Whether survivors at the end of the line wait for the next pull requests in order. */
export function isNextAwaited(ledger: Projections): boolean {
  return mayNextStart(ledger) && ridersAtEnd(ledger).length > 0
}

/** Until when survivors at the end of the line wait for others; -Infinity if they do not. */
export function endOfWaitForOthers(ledger: Projections): Millis {
  const { settings, bisections, returned } = ledger
  if (bisections.all.size === 0) return -Infinity
  const { batchingMaxWaitTimeMinutes } = settings.configuration
  const numbers = ridersAtEnd(ledger).flatMap(({ members }) => members)
  const [first] = numbers
  const isFull = numbers.length >= batchSize(ledger)
  if (isFull || first === undefined) return -Infinity
  return returned.pendingSince(first) + batchingMaxWaitTimeMinutes * minuteMs
}

function ridersAtEnd(ledger: Projections): LineGroup[] {
  const { groups } = ledger.line
  if (!isRidingOn(ledger)) return []
  const last = groups.findLastIndex((group) => !mayRide(ledger, group))
  return groups.slice(last + 1)
}

function isRidingOn({ settings }: Projections): boolean {
  const { survivorsTakeAlong, canOptimisticallyMerge, mode } = settings.configuration
  return survivorsTakeAlong && canOptimisticallyMerge && mode === 'single'
}

function mayRide(ledger: Projections, group: LineGroup): boolean {
  const isWaiting = group.status === 'waiting' && group.notBefore === null
  if (!isRidingOn(ledger) || !isWaiting || !group.hasSurvived) return false
  return !group.members.some((number) => ledger.returned.mustBeAlone(number))
}

function mayNextStart({ settings, waiting }: Projections): boolean {
  return settings.state === 'RUNNING' && waiting.pending > 0
}
