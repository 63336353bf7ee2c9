/**
 * Tells when the clock of the queues differs from the system time, and when the system time jumps
 * . It only tells: the clock itself decides how time goes on.
 */

import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import { systemTime, type SystemClock, type TimeSource } from './system-clock.ts'

const lookEveryMs = 5_000
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

  /** Looks now and every few seconds. */
  start(): void {
    this.look()
    this.#timer = setInterval(() => this.look(), lookEveryMs).unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  look(): void {
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
