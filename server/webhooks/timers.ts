/** The clock and timers of dispatchers; tests replace them. */

import type { Millis } from '../../engine/index.ts'

export type Timers = {
  readonly now: () => Millis
  /** Calls `run` once after this time. Returns a function that cancels the timer. */
  readonly after: (waitMs: Millis, run: () => void) => () => void
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (waitMs, run) => {
    const timer = setTimeout(run, waitMs).unref()
    return () => clearTimeout(timer)
  },
}
