/**
 * The clock of the queues with timers: wakes each queue at the earliest instant that it requested.
 * In a demo the clock runs faster than real time.
 *
 * The clock never runs backwards. If the system time is behind the last known instant, because it
 * was wrong once or was set back, time goes on from that instant by elapsed time.
 *
 * Requests are ignored until `start`, because those of a replayed log are in the past. An engine
 * requests its wakes again when it resumes.
 */

import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'

/** The longest wait of a Node timer; a timer with a longer wait fires at once. */
const longestWaitMs = 2 ** 31 - 1

/**
 * While the clock is ahead, it runs slower by this share, so that small differences disappear: a
 * system time that is set back by a second each day adds up to nothing.
 */
const slowdown = 1 / 1_000

export type TimeSource = {
  /** The system time, which an administrator or a time server may set. */
  readonly system: () => Millis
  /** Elapsed time since any instant; it is never set. */
  readonly monotonic: () => Millis
}

export const systemTime: TimeSource = {
  system: () => Date.now(),
  monotonic: () => performance.now(),
}

type WakeTimer = { readonly instant: Millis; readonly timer: NodeJS.Timeout }

export class SystemClock {
  readonly #timers = new Map<string, WakeTimer>()
  readonly #speed: number
  readonly #time: TimeSource
  /** The last reading of this clock, and of the monotonic one at the same instant. */
  #at: Millis
  #monotonicAt: Millis
  #wake: ((queue: string) => void) | null = null

  constructor(speed = 1, time = systemTime) {
    this.#speed = speed
    this.#time = time
    this.#at = time.system()
    this.#monotonicAt = time.monotonic()
  }

  now(): Millis {
    const monotonic = this.#time.monotonic()
    const elapsed = monotonic - this.#monotonicAt
    const isReal = this.#speed === 1
    const continued = this.#at + elapsed * (isReal ? 1 - slowdown : this.#speed)
    this.#at = isReal ? Math.max(continued, this.#time.system()) : continued
    this.#monotonicAt = monotonic
    return Math.round(this.#at)
  }

  /** By how much this clock is ahead of the system time; 0 in a demo. */
  aheadMs(): Millis {
    return this.#speed === 1 ? Math.max(0, this.now() - this.#time.system()) : 0
  }

  /** Starts to wake queues. The clock continues at `notBefore`, if that is later. */
  start(wake: (queue: string) => void, notBefore: Millis = 0): void {
    this.#wake = wake
    this.#at = Math.max(this.now(), notBefore)
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
    // Too early, because the wait was cut to the maximum or the clock runs slower.
    if (this.now() < instant) {
      this.#arm(queue, instant)
      return
    }
    this.#timers.delete(queue)
    this.#wake?.(queue)
  }
}

// Tells when the clock of the queues differs from the system time, and when the system time jumps
// . It only tells: the clock itself decides how time goes on.

const checkEveryMs = 5_000
/** Smaller differences are usual: time servers set clocks. */
const noticeableMs = 2_000

export class ClockWatch {
  readonly #clock: Pick<SystemClock, 'aheadMs'>
  readonly #logger: Pick<Logger, 'warn' | 'info'>
  readonly #time: TimeSource
  #isAhead = false
  /** The system time minus the monotonic one, which only a set clock changes. */
  #difference: Millis
  #timer: NodeJS.Timeout | null = null

  constructor(
    clock: Pick<SystemClock, 'aheadMs'>,
    logger: Pick<Logger, 'warn' | 'info'>,
    time = systemTime,
  ) {
    this.#clock = clock
    this.#logger = logger
    this.#time = time
    this.#difference = time.system() - time.monotonic()
  }

  /** Checks now and every few seconds. */
  start(): void {
    this.check()
    this.#timer = setInterval(() => this.check(), checkEveryMs).unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  check(): void {
    const difference = this.#time.system() - this.#time.monotonic()
    const jumpMs = Math.round(difference - this.#difference)
    this.#difference = difference
    if (Math.abs(jumpMs) >= noticeableMs) {
      this.#logger.warn({ jumpMs }, 'the system time was set, or the machine was suspended')
    }
    const aheadMs = this.#clock.aheadMs()
    const isAhead = aheadMs >= noticeableMs
    if (isAhead && !this.#isAhead) this.#logger.warn({ aheadMs }, warningOf(aheadMs))
    if (!isAhead && this.#isAhead) {
      this.#logger.info('the clock of the queues is at the system time again')
    }
    this.#isAhead = isAhead
  }

  /** What `/readyz` tells; null if there is nothing to tell. */
  warning(): string | null {
    const aheadMs = this.#clock.aheadMs()
    return aheadMs < noticeableMs ? null : warningOf(aheadMs)
  }
}

function warningOf(aheadMs: Millis): string {
  const seconds = Math.round(aheadMs / 1_000)
  return (
    `the clock of the queues is ${seconds} s ahead of the system time, which was later once or was ` +
    'set back; waits take their real time, and timestamps continue from the last known instant'
  )
}
