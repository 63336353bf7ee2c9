/** How a run ended, as its colour. */

import type { RecordedRun } from '../recording/runs.ts'

export type RunStyle = 'passed' | 'failed' | 'flaked' | 'cancelled' | 'lost'

/** Returns the outcome of a run as a style class. */
export function runStyleOf({ end }: RecordedRun): RunStyle {
  if (!end || end.outcome === 'cancelled') return 'cancelled'
  if (end.outcome === 'errored' || end.outcome === 'timed_out') return 'lost'
  return end.flaked ? 'flaked' : end.outcome
}
