/** The one live region of the page. It says at most one sentence in ten seconds, the last first. */

import { signal } from '@preact/signals'
import type { PageState } from '../state/fold.ts'
import { sayings } from '../state/sayings.ts'
import { starredIn } from './stars.ts'

export const saying = signal('')

const pause = 10_000

let waiting: string[] = []
let isPausing = false

/** Says at once what answers the reader's own action. */
export function say(sentence: string): void {
  saying.value = sentence
}

export function hear(before: PageState | null, after: PageState): void {
  waiting.push(...sayings(before, after, starredIn(after.queue.id)))
  if (!isPausing) sayNext()
}

/** What waits for a long time is no news, so only the last sentences are kept. */
function sayNext(): void {
  waiting = waiting.slice(-3)
  const next = waiting.shift()
  isPausing = next !== undefined
  if (next === undefined) return
  saying.value = next
  setTimeout(sayNext, pause)
}
