/**
 * A term: the right to do what one of several servers does at a time. It ends by the clock of the database,
 * unless its server prolongs it; so another one can go on if that server has died or is suspended.
 */

import type { Millis } from '../../engine/index.ts'
import type { Timers } from './timers.ts'
import { deferred } from '../files/turns.ts'

/** A term ends so long after it was taken or prolonged. */
export const termMs: Millis = 5_000

/** How often a term is asked for, or prolonged. */
const askEveryMs: Millis = 1_000

/** Whose term it is, as the database keeps it. Every method rejects if the outcome is not known. */
export type Terms = {
  /** Takes the term, or prolongs it if it is the server's own. False: another server has it. */
  take(server: string): Promise<boolean>
  /** Ends the term of this server, so that another one can take it at once. */
  giveBack(server: string): Promise<void>
}

export type TermPorts = {
  readonly terms: Terms
  /** Names this process; another one never has the same name. */
  readonly server: string
  readonly timers: Timers
  /** False while this server must not work, or has nothing to do. */
  readonly isAble: () => boolean | Promise<boolean>
}

// Works while this server has the term, and asks for it while another one has it.

export type Work = {
  /** Settles when nothing is under way any more. */
  readonly close: () => Promise<void>
}

export type KeeperPorts = TermPorts & {
  /** Begins to work. If it rejects, another server may try. */
  readonly begin: () => Promise<Work>
  readonly onFault: (error: unknown) => void
}

export class TermKeeper {
  readonly #ports: KeeperPorts
  #held: HeldTerm | null = null
  #asked: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined
  #isStopped = false

  constructor(ports: KeeperPorts) {
    this.#ports = ports
  }

  /** True until another server may have the term. */
  get isHeld(): boolean {
    return this.#held?.isHeld ?? false
  }

  /** True if what is decided now is in the log before another server begins to work. */
  get isSure(): boolean {
    return this.#held?.isSure ?? false
  }

  start(): void {
    this.#asked = this.#askAndPlan()
  }

  /** Ends the work; it begins again here or elsewhere. */
  interrupt(): void {
    this.#held?.end()
  }

  /** Settles when another server can go on. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    this.interrupt()
    await this.#asked
  }

  async #askAndPlan(): Promise<void> {
    // If the database cannot be reached, the next time tries again.
    const waitMs = await this.#ask().catch(() => askEveryMs)
    if (!this.#isDone()) this.#cancel = this.#ports.timers.after(waitMs, () => this.start())
  }

  /** Works if the term is free, until it is over. Settles with the time until it is asked for again. */
  async #ask(): Promise<Millis> {
    const { terms, server, timers, isAble } = this.#ports
    const askedAt = timers.now()
    if (this.#isDone() || !(await isAble()) || !(await terms.take(server))) return askEveryMs
    const held = new HeldTerm(this.#ports, askedAt)
    this.#held = held
    if (this.#isDone()) held.end()
    const hasWorked = await this.#work(held)
    this.#held = null
    await held.giveBack()
    // What cannot begin here may begin elsewhere.
    return hasWorked ? askEveryMs : termMs
  }

  /** As a function, because it changes while others are awaited. */
  #isDone(): boolean {
    return this.#isStopped
  }

  async #work(held: HeldTerm): Promise<boolean> {
    const { begin, onFault } = this.#ports
    try {
      const work = await begin()
      await held.over
      await work.close()
      return true
    } catch (error) {
      onFault(error)
      return false
    }
  }
}

/**
 * PostgreSQL ends a turn that is idle for a second. So what is decided earlier than this before the end
 * of the term is in the log before another server begins to work.
 */
const sureMs: Millis = 1_500

/** A term that this server has. It is prolonged every second until it is over. */
class HeldTerm {
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
    return !this.#isOver && this.#ports.timers.now() < this.#endsAt
  }

  /** True if what is decided now is in the log before the term can be over. */
  get isSure(): boolean {
    return !this.#isOver && this.#ports.timers.now() < this.#endsAt - sureMs
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
    const { terms, server, timers, isAble } = this.#ports
    const askedAt = timers.now()
    try {
      if ((await isAble()) && (await terms.take(server))) this.#endsAt = askedAt + termMs
      else this.end()
    } catch {
      // The next time tries again, and the watch ends the term if that is too late.
    }
    if (!this.#isOver) this.#plan()
  }

  #watch(): void {
    const { timers } = this.#ports
    this.#cancelWatch = timers.after(Math.max(0, this.#endsAt - timers.now()), () => {
      if (timers.now() < this.#endsAt) this.#watch()
      else this.end()
    })
  }
}
