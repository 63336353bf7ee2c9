/**
 * The system clock with timers: wakes each queue at the earliest instant that it requested. In a
 * demo the clock runs faster than real time.
 *
 * Requests are ignored until `start`, because those of a replayed log are in the past. An engine
 * requests its wakes again when it resumes.
 */

import type { Millis } from '../../engine/index.ts'

/** The longest wait of a Node timer; a timer with a longer wait fires at once. */
const longestWaitMs = 2 ** 31 - 1

type WakeTimer = { readonly instant: Millis; readonly timer: NodeJS.Timeout }

export class SystemClock {
  readonly #timers = new Map<string, WakeTimer>()
  readonly #speed: number
  /** The time of this clock and of the system clock at the same instant. */
  #latest: Millis
  readonly #system: Millis
  #wake: ((queue: string) => void) | null = null

  constructor(speed = 1) {
    this.#speed = speed
    this.#system = Date.now()
    this.#latest = this.#system
  }

  now(): Millis {
    const system = Date.now()
    // Without a speed the clock follows the system time, also when an administrator sets it.
    return this.#speed === 1
      ? system
      : this.#latest + Math.round((system - this.#system) * this.#speed)
  }

  /** Starts to wake queues. A fast clock continues at `notBefore`, if that is later. */
  start(wake: (queue: string) => void, notBefore: Millis = 0): void {
    this.#wake = wake
    this.#latest = Math.max(this.#latest, notBefore)
  }

  /** Cancels all timers; later requests are ignored. */
  stop(): void {
    this.#wake = null
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /** Requests a wake of the queue. A later instant than the one already requested has no effect. */
  wakeAt(queue: string, instant: Millis): void {
    const wakeTimer = this.#timers.get(queue)
    if (this.#wake === null || (wakeTimer && wakeTimer.instant <= instant)) return
    clearTimeout(wakeTimer?.timer)
    this.#arm(queue, instant)
  }

  #arm(queue: string, instant: Millis): void {
    const untilThen = Math.ceil(Math.max(0, instant - this.now()) / this.#speed)
    const waitMs = Math.min(untilThen, longestWaitMs)
    const timer = setTimeout(() => this.#ring(queue, instant), waitMs)
    this.#timers.set(queue, { instant, timer })
  }

  #ring(queue: string, instant: Millis): void {
    // Too early, because the wait was cut to the maximum or the system time was set back.
    if (this.now() < instant) {
      this.#arm(queue, instant)
      return
    }
    this.#timers.delete(queue)
    this.#wake?.(queue)
  }
}
