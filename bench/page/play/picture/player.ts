/** Plays a film: where it is, and how fast it goes. */

import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import { busiestInstant, sceneAt, stepFrom, type Reel } from '../film/film.ts'

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
