/** Conversion of times: minutes in scenarios and reports, whole milliseconds in the simulator. */

import type { Millis } from '../../engine/index.ts'

const minuteMs = 60_000

export function toMillis(minutes: number): Millis {
  return Math.round(minutes * minuteMs)
}

/** Loses nothing: `toMillis(toMinutes(ms))` is `ms`. */
export function toMinutes(millis: Millis): number {
  return millis / minuteMs
}
