/** What happened to the queue as a whole: its state, its settings, its branch. */

import type { Event, Millis } from '../../../engine/index.ts'
import type { Book, Seen } from '../../result/book.ts'
import type { StoryStep } from './story.ts'

/** More than these are nothing to read. */
const mostHappenings = 500

export class Happenings implements Book {
  readonly steps: StoryStep[] = []
  untold = 0

  see(event: Event, { at }: Seen): void {
    const sentence = sentenceOf(event)
    if (sentence !== null) this.#add(at, sentence)
  }

  #add(at: Millis, sentence: string): void {
    if (this.steps.length < mostHappenings) this.steps.push({ at, sentence })
    else this.untold++
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
  return isPush ? 'somebody pushed to the branch, past the queue' : null
}
