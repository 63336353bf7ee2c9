/** The one live region of the page. It says at most one sentence in ten seconds, the last first. */

import { signal } from '@preact/signals'
import type { Row } from '../../frame.ts'
import { lookOf, words } from '../parts/looks.ts'
import { bisected } from '../state/figures.ts'
import type { PageState } from '../state/fold.ts'
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

// What a screen reader says by itself: only about starred pull requests and the queue as a whole.

const ofStates = {
  RUNNING: 'The queue is running again.',
  PAUSED: 'The queue is paused.',
  DRAINING: 'The queue is draining.',
  SWITCHING_MODES: 'The queue is switching modes.',
} as const

/** Returns what changed between two states, in sentences. */
function sayings(before: PageState | null, after: PageState, starred: readonly number[]): string[] {
  if (!before) return []
  const isChanged = before.queue.state !== after.queue.state
  return [
    ...(isChanged ? [ofStates[after.queue.state]] : []),
    ...starred.flatMap((number) => moveOf(number, before, after) ?? []),
  ]
}

function moveOf(number: number, before: PageState, after: PageState): string | null {
  const was = before.rows.get(number)
  const is = after.rows.get(number)
  if (!is) {
    const end = after.ended.find((row) => row.number === number)
    const isNew = end !== undefined && !before.ended.includes(end)
    return isNew ? `${number} is ${end.state.toLowerCase()} now.` : null
  }
  const word = wordOf(is, after)
  return was && wordOf(was, before) === word ? null : `${number} is ${word} now.`
}

function wordOf(row: Row, state: PageState): string {
  return words[lookOf(row.state, bisected(state).has(row.number))]
}
