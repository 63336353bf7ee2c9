/** Long work that a Ctrl-C can end. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Steps } from '../simulate.ts'

/** So many steps take a fraction of a second, and listening in between takes none of it. */
const stepsBetween = 1000

/** Does the work; null when it was interrupted before its end. */
export async function untilInterrupted<T>(work: Steps<T>, signal: AbortSignal): Promise<T | null> {
  let step = work.next()
  for (let steps = 1; step.done !== true; steps++) {
    if (steps % stepsBetween === 0) await nextTurn()
    if (signal.aborted) return null
    step = work.next()
  }
  return step.value
}
