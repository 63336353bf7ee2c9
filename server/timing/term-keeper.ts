/** Works while this server has the term, and asks for it while another one has it. */

import type { Millis } from '../../engine/index.ts'
import { HeldTerm } from './held-term.ts'
import { askEveryMs, termMs, type TermPorts } from './term.ts'

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
    const { terms, server, clock, isAble } = this.#ports
    const askedAt = clock()
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
