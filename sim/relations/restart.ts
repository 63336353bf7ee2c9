import type { Queue } from '../../engine/index.ts'
import { varied } from './varied.ts'

/** The JSON of a queue holds the complete state of the engine. */
export const restartChangesNothing = varied({
  name: 'restart-changes-nothing',
  sentence:
    'An engine that is rebuilt from its own JSON before every command makes the same events.',
  between: (queue) => {
    const again: Queue = JSON.parse(JSON.stringify(queue))
    return again
  },
})
