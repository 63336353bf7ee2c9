/** Waiting, as couriers need it; a test has a time of its own. */

import type { Millis } from '../../engine/index.ts'

export type Timers = {
  readonly now: () => Millis
  /** Runs it once, when so much time has gone by. Answers how to call that off. */
  readonly after: (waitMs: Millis, run: () => void) => () => void
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (waitMs, run) => {
    const timer = setTimeout(run, waitMs).unref()
    return () => clearTimeout(timer)
  },
}
