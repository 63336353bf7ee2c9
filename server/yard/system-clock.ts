/**
 * The system's clock and its timers: wakes each queue at the earliest instant it asked for. For a
 * demo it runs so many times as fast.
 *
 * Silent until started: while the command log is replayed, wishes are of the past. What a queue
 * still waits for it says again when it is resumed.
 */

import type { Millis } from '../../engine/index.ts'

/** The longest wait a timer of Node takes; it fires at once for more. */
const longestWaitMs = 2 ** 31 - 1

type Wish = { readonly instant: Millis; readonly timer: NodeJS.Timeout }

export class SystemClock {
  readonly #wishes = new Map<string, Wish>()
  readonly #speed: number
  /** What it shows, and what the system's clock shows, at one instant. */
  #shown: Millis
  readonly #system: Millis
  #wake: ((queue: string) => void) | null = null

  constructor(speed = 1) {
    this.#speed = speed
    this.#system = Date.now()
    this.#shown = this.#system
  }

  now(): Millis {
    const system = Date.now()
    // By itself it follows the system's time, wherever somebody sets that.
    return this.#speed === 1
      ? system
      : this.#shown + Math.round((system - this.#system) * this.#speed)
  }

  /** From now on queues are woken. A fast clock goes on where it was before, if that is later. */
  start(wake: (queue: string) => void, notBefore: Millis = 0): void {
    this.#wake = wake
    this.#shown = Math.max(this.#shown, notBefore)
  }

  /** Every timer is off, and stays so. */
  stop(): void {
    this.#wake = null
    for (const { timer } of this.#wishes.values()) clearTimeout(timer)
    this.#wishes.clear()
  }

  wakeAt(queue: string, instant: Millis): void {
    const wish = this.#wishes.get(queue)
    if (this.#wake === null || (wish && wish.instant <= instant)) return
    clearTimeout(wish?.timer)
    this.#arm(queue, instant)
  }

  #arm(queue: string, instant: Millis): void {
    const untilThen = Math.ceil(Math.max(0, instant - this.now()) / this.#speed)
    const waitMs = Math.min(untilThen, longestWaitMs)
    const timer = setTimeout(() => this.#ring(queue, instant), waitMs)
    this.#wishes.set(queue, { instant, timer })
  }

  #ring(queue: string, instant: Millis): void {
    // Too early where the wait was cut, or the system's time was set back.
    if (this.now() < instant) {
      this.#arm(queue, instant)
      return
    }
    this.#wishes.delete(queue)
    this.#wake?.(queue)
  }
}
