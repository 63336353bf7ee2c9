/** Cases in which no setting can be advised, whatever the figures of the settings are. */

import type { TuneFigures } from '../figures/figures.ts'

/** Nothing lands in any seed. */
export function isEmpty(runs: readonly TuneFigures[]): boolean {
  return runs.every(({ landed }) => landed === 0)
}

/** Nothing is drawn: every setting has the same figures with every seed. */
export function isAlways(settings: readonly (readonly TuneFigures[])[]): boolean {
  return settings.every(
    (runs) => runs.length > 1 && new Set(runs.map((run) => JSON.stringify(run))).size === 1,
  )
}

/** Nobody waits if the time in queue is longer than a run by at most this share. */
const mostWait = 0.05

export type Idle = {
  /** The means of the p95 in queue and of the p95 of the lengths of runs, in minutes. */
  readonly queueP95: number
  readonly runP95: number
  readonly peakSlots: number
}

/**
 * Returns the figures of an idle queue: nobody waits, and the slots are never used up. Returns null
 * for any other. A single slot is used up by any run, so there only the wait counts (S-231).
 */
export function idleOf(runs: readonly TuneFigures[], concurrency: number): Idle | null {
  const times = runs.flatMap(({ queueP95, runP95 }) =>
    queueP95 === null || runP95 === null ? [] : [{ queueP95, runP95 }],
  )
  if (times.length === 0) return null
  const queueP95 = times.reduce((sum, each) => sum + each.queueP95, 0) / times.length
  const runP95 = times.reduce((sum, each) => sum + each.runP95, 0) / times.length
  const peakSlots = Math.max(...runs.map(({ peakMainRuns }) => peakMainRuns))
  const isWaiting = queueP95 > runP95 * (1 + mostWait)
  const isUsedUp = concurrency > 1 && peakSlots >= concurrency
  return isWaiting || isUsedUp ? null : { queueP95, runP95, peakSlots }
}
