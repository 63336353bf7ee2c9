/** Timers and their time; tests replace them. */

import type { Millis } from '../../engine/index.ts'

export type Timers = {
  /** Calls `run` once after this time. Returns a function that cancels the timer. */
  readonly after: (waitMs: Millis, run: () => void) => () => void
  /** Never runs backwards. */
  readonly now: () => Millis
}

export const systemTimers: Timers = {
  after: (waitMs, run) => {
    const timer = setTimeout(run, waitMs).unref()
    return () => clearTimeout(timer)
  },
  now: () => performance.now(),
}
