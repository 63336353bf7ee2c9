/** Situations that operators bring about. */

import type { EventType } from '../../engine/index.ts'
import { seenIn, shownBy, type Mark } from './mark.ts'

/** DRAINING, with work in the line, until nothing is left in it. */
const drained: Mark['watch'] = () => {
  let hadWork = false
  return ({ queue: { state, line, bisections } }) => {
    const hasWork = line.length > 0 || bisections.length > 0
    if (state !== 'DRAINING') hadWork = false
    else if (hasWork) hadWork = true
    return hadWork && !hasWork
  }
}

const changes: ReadonlySet<EventType> = new Set(['queueConfigured', 'queueStateChanged'])

export const operationMarks: readonly Mark[] = [
  {
    name: 'DRAINING finishes',
    sentence: 'A DRAINING queue has come to the end of what was in its line.',
    watch: drained,
  },
  {
    name: 'mode switch with work in flight',
    sentence: 'The mode is changed while runs are under way, and waits for them.',
    watch: shownBy('queueStateChanged', ({ to }, { queue: { slots } }) => {
      return to === 'SWITCHING_MODES' && slots.main + slots.bisection > 0
    }),
  },
  {
    name: 'result kept while PAUSED',
    sentence: 'A run passes while the queue is PAUSED: it merges later.',
    watch: shownBy('groupPassed', (_, { queue }) => queue.state === 'PAUSED'),
  },
  {
    name: 'failure while PAUSED',
    sentence: 'A run fails while the queue is PAUSED.',
    watch: shownBy('groupFailed', (_, { queue }) => queue.state === 'PAUSED'),
  },
  {
    name: 'queue changed in mid-bisection',
    sentence: 'The settings or the state of the queue change while a batch is bisected.',
    watch: seenIn(({ bisections }, { events }) => {
      const isChange = events.some(({ type }) => changes.has(type))
      return isChange && bisections.length > 0
    }),
  },
]
