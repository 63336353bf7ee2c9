/** A term that this server has. It is prolonged every second until it is over. */

import type { Millis } from '../../engine/index.ts'
import { deferred } from '../files/deferred.ts'
import { askEveryMs, termMs, type TermPorts } from './term.ts'

/**
 * PostgreSQL ends a turn that stands still for a second. So what is decided earlier than this before the end
 * of the term is in the log before another server begins to work.
 */
const sureMs: Millis = 1_500

export class HeldTerm {
  readonly #ports: TermPorts
  readonly #over = deferred<void>()
  /** By the clock of this server, which began to count before the database did. */
  #endsAt: Millis
  #isOver = false
  #asked: Promise<void> = Promise.resolve()
  #cancelAsking = (): void => undefined
  #cancelWatch = (): void => undefined

  /** `askedAt`: when it was asked for, by the clock of this server. */
  constructor(ports: TermPorts, askedAt: Millis) {
    this.#ports = ports
    this.#endsAt = askedAt + termMs
    this.#plan()
    this.#watch()
  }

  /** Settles when another server may have it. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  /** True until another server may have it. */
  get isHeld(): boolean {
    return !this.#isOver && this.#ports.clock() < this.#endsAt
  }

  /** True if what is decided now is in the log before the term can be over. */
  get isSure(): boolean {
    return !this.#isOver && this.#ports.clock() < this.#endsAt - sureMs
  }

  /** It is not prolonged any more. */
  end(): void {
    this.#isOver = true
    this.#cancelAsking()
    this.#cancelWatch()
    this.#over.resolve()
  }

  /** Another server can take it at once. */
  async giveBack(): Promise<void> {
    this.end()
    // An answer that is under way could prolong it once more.
    await this.#asked
    await this.#ports.terms.giveBack(this.#ports.server)
  }

  #plan(): void {
    this.#cancelAsking = this.#ports.timers.after(askEveryMs, () => {
      this.#asked = this.#prolong()
    })
  }

  async #prolong(): Promise<void> {
    const { terms, server, clock, isAble } = this.#ports
    const askedAt = clock()
    try {
      if ((await isAble()) && (await terms.take(server))) this.#endsAt = askedAt + termMs
      else this.end()
    } catch {
      // The next time tries again, and the watch ends the term if that is too late.
    }
    if (!this.#isOver) this.#plan()
  }

  #watch(): void {
    const { clock, timers } = this.#ports
    this.#cancelWatch = timers.after(Math.max(0, this.#endsAt - clock()), () => {
      if (clock() < this.#endsAt) this.#watch()
      else this.end()
    })
  }
}
