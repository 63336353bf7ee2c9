/** How a run ended, as its colour. */

import type { RecordedRun } from '../recording/runs.ts'

/** The colours of runs and their words, in the order of the legend. */
export const runStyles = {
  passed: { color: 'merged', means: 'passed' },
  failed: { color: 'failed', means: 'failed' },
  flaked: { color: 'held', means: 'flaked' },
  cancelled: { color: 'cancelled', means: 'cancelled' },
  lost: { color: 'soft', means: 'lost or timed out' },
} as const

export type RunStyle = keyof typeof runStyles

/** Returns the outcome of a run as a style class. */
export function runStyleOf({ end }: RecordedRun): RunStyle {
  if (!end || end.outcome === 'cancelled') return 'cancelled'
  if (end.outcome === 'errored' || end.outcome === 'timed_out') return 'lost'
  return end.flaked ? 'flaked' : end.outcome
}
