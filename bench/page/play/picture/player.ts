/** Plays a film: where it is, and how fast it goes. */

import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import {
  busiestInstant,
  sceneAt,
  stepFrom,
  type Reel,
  type FilmedRun,
  type RestingPhase,
  type Scene,
} from '../film/film.ts'
import { toMinutes } from '../../../../sim/scenario/time.ts'
import { count } from '../../../../server/terminal/text.ts'
import type { RunStyle } from '../../../../sim/report/recording/runs.ts'
import type { Look } from '../../../../server/page/web/components/mark.tsx'

/** Simulated minutes for each second of the reader, in words. */
export const speeds = { 1: '1 min', 10: '10 min', 60: '1 hour' } as const

/** A tab that was hidden must not jump. */
const longestFrameMs = 100

export class Player {
  readonly reel: ReadonlySignal<Reel | null>
  readonly at = signal(0)
  readonly isPlaying = signal(false)
  /** Minutes a second. */
  readonly speed = signal(10)
  readonly scene = computed(() => {
    const reel = this.reel.value
    return reel && sceneAt(reel, this.at.value)
  })
  #isFirst = true

  /** A new film goes on where the last one was; the first begins where most is to be seen. */
  constructor(reel: ReadonlySignal<Reel | null>, { isStill }: { readonly isStill: boolean }) {
    this.reel = reel
    effect(() => {
      const film = reel.value?.film
      if (!film) return
      if (this.#isFirst) this.at.value = isStill ? film.endedAt : busiestInstant(film)
      else this.at.value = Math.min(this.at.peek(), film.endedAt)
      this.#isFirst = false
    })
  }

  play(): void {
    const film = this.reel.value?.film
    if (!film || this.isPlaying.value) return
    batch(() => {
      if (this.at.value >= film.endedAt) this.at.value = 0
      this.isPlaying.value = true
    })
    let before = performance.now()
    const frame = (now: number): void => {
      if (!this.isPlaying.value) return
      const passedMs = Math.min(longestFrameMs, now - before)
      before = now
      this.#goOn(passedMs)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }

  pause(): void {
    this.isPlaying.value = false
  }

  step(way: 1 | -1): void {
    const reel = this.reel.value
    if (!reel) return
    this.pause()
    this.at.value = stepFrom(reel, this.at.value, way)
  }

  /** Moves to an instant, for example with a slider. */
  seek(at: number): void {
    this.pause()
    this.at.value = at
  }

  #goOn(passedMs: number): void {
    const end = this.reel.value?.film.endedAt ?? 0
    const at = this.at.value + passedMs * 60 * this.speed.value
    batch(() => {
      this.at.value = Math.min(at, end)
      if (at >= end) this.isPlaying.value = false
    })
  }
}

// The moving picture in words.

/** `Day 2, 14:20`: the simulation starts at midnight of the first day. */
export function clock(atMs: number): string {
  const minutes = Math.floor(toMinutes(atMs))
  const time = `${twoDigits(Math.floor(minutes / 60) % 24)}:${twoDigits(minutes % 60)}`
  return `Day ${Math.floor(minutes / 1440) + 1}, ${time}`
}

type Resting = {
  readonly phase: RestingPhase
  readonly look: Look
  readonly title: string
  /** What the sentence says of them; it does not tell of all. */
  readonly said?: string
  /** True if they are shown also when there are none. */
  readonly isAlways?: boolean
}

/** Those that no slot tests, before the slots and behind them. */
export const beforeSlots: readonly Resting[] = [
  { phase: 'waiting', look: 'waiting', title: 'Waiting', said: 'waiting', isAlways: true },
  { phase: 'notReady', look: 'not-ready', title: 'Not ready' },
]
export const behindSlots: readonly Resting[] = [
  { phase: 'passed', look: 'passed', title: 'Passed, behind others', said: 'passed' },
  { phase: 'held', look: 'held', title: 'Failed, not final yet', said: 'held' },
  { phase: 'bisecting', look: 'bisecting', title: 'Being bisected', said: 'bisected' },
]

/** Those that are shown in a scene. */
export const shownIn =
  ({ resting }: Scene) =>
  ({ phase, isAlways }: Resting): boolean =>
    isAlways === true || resting[phase].length > 0

/** What is to be seen, in one sentence. */
export function sentenceOf(scene: Scene): string {
  const { inQueue, testing, resting, counts } = scene
  const rest = [...beforeSlots, ...behindSlots].filter(shownIn(scene))
  const parts = rest.flatMap(({ phase, said }) =>
    said === undefined ? [] : `, ${count(resting[phase].length)} ${said}`,
  )
  return `${count(inQueue)} in the queue: ${count(testing)} tested${parts.join('')}. ${count(counts.MERGED)} merged so far.`
}

/** How the end of a run is shown. */
export const endings: Readonly<Record<RunStyle, { readonly look: Look; readonly words: string }>> =
  {
    passed: { look: 'passed', words: 'passed' },
    failed: { look: 'failed', words: 'failed' },
    flaked: { look: 'failed', words: 'failed for no reason' },
    cancelled: { look: 'cancelled', words: 'cancelled' },
    lost: { look: 'lost', words: 'lost' },
  }

/** How far a run is: `5 of 11 min`, `1:30 of 3:20 h`. */
export function progressWords({ from, to }: FilmedRun, at: number): string {
  const elapsed = Math.floor(toMinutes(at - from))
  const length = Math.ceil(toMinutes(to - from))
  if (length < hourMinutes) return `${elapsed} of ${length} min`
  const hours = (minutes: number): string =>
    `${Math.floor(minutes / hourMinutes)}:${twoDigits(minutes % hourMinutes)}`
  return `${hours(elapsed)} of ${hours(length)} h`
}

const hourMinutes = 60

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
