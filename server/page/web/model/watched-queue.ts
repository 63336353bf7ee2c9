/** The queue that the page watches: its state by the stream, and whether the stream lives. */

import { batch, computed, signal } from '@preact/signals'
import type { Frame } from '../../frame.ts'
import { fold, type PageState } from '../state/fold.ts'
import { Connection, type Ending } from '../stream/connection.ts'
import { errorOf } from './ask.ts'
import { loadMe } from './session.ts'
import { lookOf, looks } from '../components/mark.tsx'
import { queueStates } from '../state/consequences.ts'
import { starredIn } from './stars.ts'

export type Liveness =
  | { readonly kind: 'opening' }
  | { readonly kind: 'live' }
  /** In milliseconds of this computer's clock. */
  | { readonly kind: 'lost'; readonly since: number; readonly why: string }
  | { readonly kind: 'missing' }

export const pageState = signal<PageState | null>(null)
export const liveness = signal<Liveness>({ kind: 'opening' })

/** A hidden page needs no stream, and a browser has only six connections to a server. */
const hiddenFor = 30_000

let watched: { readonly queue: string; readonly connection: Connection } | null = null

export function watch(queue: string): void {
  if (watched?.queue === queue) {
    watched.connection.open()
    return
  }
  unwatch()
  const connection = connectionTo(queue)
  watched = { queue, connection }
  connection.open()
}

export function unwatch(): void {
  watched?.connection.close()
  watched = null
  pageState.value = null
  liveness.value = { kind: 'opening' }
}

function connectionTo(queue: string): Connection {
  let lastSign = Date.now()
  const connection = new Connection(
    `/page/stream?queue=${encodeURIComponent(queue)}`,
    {
      fetch: (url, options) =>
        fetch(url, { ...options, credentials: 'same-origin', cache: 'no-store' }),
      setTimer,
      random: Math.random,
    },
    {
      onSign: () => {
        lastSign = Date.now()
        if (liveness.value.kind !== 'live') liveness.value = { kind: 'live' }
      },
      onFrame: (data) => {
        const isUnderstood = take(data)
        if (!isUnderstood) connection.startAnew()
      },
      onEnd: (ending, body) => ended(ending, { lastSign, body }),
    },
  )
  return connection
}

function setTimer(after: number, action: () => void): () => void {
  const timer = setTimeout(action, after)
  return () => clearTimeout(timer)
}

/** Returns false for a change without a whole before it. */
function take(data: string): boolean {
  const frame: Frame = JSON.parse(data)
  const before = pageState.value
  const after = fold(before, frame)
  batch(() => {
    setServerClock(frame.now)
    pageState.value = after
  })
  if (after) announce(before, after)
  return after !== null
}

/** A refusal means that the session has ended; `me` decides what the page shows. */
function ended(
  ending: Ending,
  { lastSign, body }: { readonly lastSign: number; readonly body: string },
): void {
  if (ending === 'refused') void loadMe()
  if (ending === 'refused' || ending === 'missing') {
    liveness.value = { kind: 'missing' }
    return
  }
  const before = liveness.value
  const since = before.kind === 'lost' ? before.since : lastSign
  // That the server stops explains why it does not answer a second later.
  const isExplained = ending === 'lost' && before.kind === 'lost' && before.why === reasons.stopping
  const why = ending === 'full' ? errorOf(503, body) : reasons[isExplained ? 'stopping' : ending]
  liveness.value = { kind: 'lost', since, why }
}

const reasons = {
  lost: 'The server does not answer.',
  stopping: 'The server is stopping or starts anew.',
}

/** Closes the stream of a page that has been hidden for a while, and opens it when the page is seen. */
export function followVisibility(): void {
  let cancel: () => void = () => undefined
  document.addEventListener('visibilitychange', () => {
    cancel()
    if (document.hidden) cancel = setTimer(hiddenFor, () => watched?.connection.close())
    else watched?.connection.open()
  })
  addEventListener('online', () => watched?.connection.open())
}

// The server's clock, which may differ from the reader's: each frame tells it. Between frames it runs
// on by the time that passes here.

/** In milliseconds; changes once a second. Only what shows a time may read it. */
export const serverNow = signal(Date.now())

/** The same in minutes; changes once a minute. */
export const minutesNow = computed(() => Math.floor(serverNow.value / 60_000))

let told = { server: Date.now(), here: performance.now() }

function setServerClock(instant: string): void {
  told = { server: Date.parse(instant), here: performance.now() }
  serverNow.value = told.server
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) serverNow.value = told.server + performance.now() - told.here
  }, 1000)
}

// The one live region of the page. It says at most one sentence in ten seconds, the last first.

export const saying = signal('')

const pause = 10_000

let waiting: string[] = []
let isPausing = false

/** Says at once what answers the reader's own action. */
export function say(sentence: string): void {
  saying.value = sentence
}

function announce(before: PageState | null, after: PageState): void {
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

/** Returns what changed between two states, in sentences. */
function sayings(before: PageState | null, after: PageState, starred: readonly number[]): string[] {
  if (!before) return []
  const { state } = after.queue
  const isChanged = before.queue.state !== state
  const again = state === 'RUNNING' ? ' again' : ''
  return [
    ...(isChanged ? [`The queue is ${queueStates[state].word}${again}.`] : []),
    ...starred.flatMap((number) => moveOf(number, before, after) ?? []),
  ]
}

function moveOf(number: number, before: PageState, after: PageState): string | null {
  const [was, is] = [before.rows.get(number), after.rows.get(number)]
  if (!is || (was && lookOf(was) === lookOf(is))) return null
  return `${number} is ${looks[lookOf(is)].word} now.`
}
