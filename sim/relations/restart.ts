import type { Queue } from '../../engine/index.ts'
import { varied } from './varied.ts'

/** Whatever the engine knows stands in its JSON. */
export const restartChangesNothing = varied({
  name: 'restart-changes-nothing',
  sentence: 'An engine that is made anew from its own JSON before every command goes the same way.',
  between: (queue) => {
    const again: Queue = JSON.parse(JSON.stringify(queue))
    return again
  },
})
