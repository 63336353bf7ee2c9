/** `Retry-After`: for how long whoever answered wants to be left alone. */

import type { Millis } from '../../engine/index.ts'

/** So long the limits of code hosts last. What asks for more, or for ever, is asked again after it. */
export const longestAskedMs: Millis = 60 * 60_000

/** The value of a header of an answer; null: it does not have it. */
export type HeaderOf = (name: string) => string | null

/** The wait that these headers ask for, in seconds or as an instant; null: they ask for none. */
export function askedWaitMs(header: HeaderOf, now: Millis): Millis | null {
  const after = header('retry-after')?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(after)) return Math.min(longestAskedMs, Number(after) * 1_000)
  const until = Date.parse(after)
  if (Number.isNaN(until)) return null
  // The instant is on the clock that the same answer tells.
  const date = Date.parse(header('date') ?? '')
  return Math.min(longestAskedMs, Math.max(0, until - (Number.isNaN(date) ? now : date)))
}
