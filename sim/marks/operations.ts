/** Situations that operators bring about. */

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
    name: 'settings changed in mid-bisection',
    sentence: 'Settings of the queue change while a batch is bisected.',
    watch: seenIn(({ bisections }, { events }) => {
      return bisections.length > 0 && events.some(({ type }) => type === 'queueConfigured')
    }),
  },
]
