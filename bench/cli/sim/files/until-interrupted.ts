/** Long work that Ctrl-C can end. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../../../../sim/run/simulate.ts'

/** This many steps take a fraction of a second. The pauses between them cost almost nothing. */
const stepsBetween = 1000

/** Runs the work to its end. Returns its result, or null if it was interrupted. */
export async function untilInterrupted<T>(work: Steps<T>, signal: AbortSignal): Promise<T | null> {
  let step = work.next()
  for (let steps = 1; step.done !== true; steps++) {
    if (steps % stepsBetween === 0) await nextTurn()
    if (signal.aborted) return null
    step = work.next()
  }
  return step.value
}
