/** How often and when a lost run is repeated. Rule: E-61. */

import type { Millis, TestRun } from '../../engine/index.ts'

const minuteMs = 60_000
const waitMinutes = [1, 5] as const

/** The same composition is run again at most this many times. */
export const retriesAtMost = waitMinutes.length

/** When a run that errored at `at` is to be repeated; null when it counts as failed. */
export function retryAt({ attempt }: TestRun, at: Millis): Millis | null {
  const wait = waitMinutes[attempt]
  return wait === undefined ? null : at + wait * minuteMs
}
