/** Situations that operators cause. */

import type { EventType } from '../../engine/index.ts'
import { seenInState, shownByEvent, type CoverageMark } from './coverage-mark.ts'

/** The queue is DRAINING with work in the line, until no work is left. */
const drained: CoverageMark['watch'] = () => {
  let hadWork = false
  return ({ queue: { state, line, bisections } }) => {
    const hasWork = line.length > 0 || bisections.length > 0
    if (state !== 'DRAINING') hadWork = false
    else if (hasWork) hadWork = true
    return hadWork && !hasWork
  }
}

const changes: ReadonlySet<EventType> = new Set(['queueConfigured', 'queueStateChanged'])

export const operationMarks: readonly CoverageMark[] = [
  {
    name: 'DRAINING finishes',
    sentence: 'A DRAINING queue has finished all work in its line.',
    watch: drained,
  },
  {
    name: 'mode switch with work in flight',
    sentence: 'The mode is changed while runs are in progress, and the change waits for them.',
    watch: shownByEvent('queueStateChanged', ({ to }, { queue: { slots } }) => {
      return to === 'SWITCHING_MODES' && slots.main + slots.bisection > 0
    }),
  },
  {
    name: 'result kept while PAUSED',
    sentence: 'A run passes while the queue is PAUSED, and its group merges later.',
    watch: shownByEvent('groupPassed', (_, { queue }) => queue.state === 'PAUSED'),
  },
  {
    name: 'failure while PAUSED',
    sentence: 'A run fails while the queue is PAUSED.',
    watch: shownByEvent('groupFailed', (_, { queue }) => queue.state === 'PAUSED'),
  },
  {
    name: 'queue changed in mid-bisection',
    sentence: 'The settings or the state of the queue change while a batch is bisected.',
    watch: seenInState(({ bisections }, { events }) => {
      const isChange = events.some(({ type }) => changes.has(type))
      return isChange && bisections.length > 0
    }),
  },
]
