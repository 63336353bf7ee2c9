/** The changes of the queue as a whole: its state, its settings, its branch. */

import type { Event, Millis } from '../../../engine/index.ts'
import type { ResultProjection, ResultContext } from '../../result/result-projection.ts'
import type { StoryStep } from './story.ts'

/** More steps would be unreadable. */
const mostSteps = 500

export class QueueTimeline implements ResultProjection {
  readonly steps: StoryStep[] = []
  omitted = 0

  onEvent(event: Event, { at }: ResultContext): void {
    const sentence = sentenceOf(event)
    if (sentence !== null) this.#add(at, sentence)
  }

  #add(at: Millis, sentence: string): void {
    if (this.steps.length < mostSteps) this.steps.push({ at, sentence })
    else this.omitted++
  }
}

function sentenceOf(event: Event): string | null {
  if (event.type === 'queueStateChanged') return `${event.from} became ${event.to}`
  if (event.type === 'queueConfigured') {
    const settings = Object.entries(event.set).map(
      ([name, value]) => `${name} ${JSON.stringify(value)}`,
    )
    return `settings: ${settings.join(', ')}`
  }
  const isPush = event.type === 'tipMoved' && event.number === null
  return isPush ? 'a push from outside the queue changed the branch' : null
}
