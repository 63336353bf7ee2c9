/** Scenarios and reports count in minutes from the start; inside, time is whole milliseconds. */

import type { Millis } from '../engine/index.ts'

const minuteMs = 60_000

export function toMillis(minutes: number): Millis {
  return Math.round(minutes * minuteMs)
}

/** Exact both ways: `toMillis(toMinutes(ms))` is `ms`. */
export function toMinutes(millis: Millis): number {
  return millis / minuteMs
}
