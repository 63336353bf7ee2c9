/** Whose term it is, in the simulated database: for the sender of webhooks, and for work on repositories. */

import { termMs, type Terms } from '../../server/timing/term-keeper.ts'
import { Versions } from './versions.ts'
import type { Weakness } from './weakness.ts'
import { Wire, type WireParts } from './wire.ts'

/** What only one server does at a time. */
export type TermName = 'webhooks' | 'hosts'

export type Holder = {
  readonly server: string
  readonly until: number
}

/** A server may do it from then on, until then. */
export type Granted = Holder & { readonly name: TermName; readonly from: number }

type DatabaseBeside = {
  readonly lines: { readonly length: number }
  readonly now: () => number
}

const nobody: Holder = { server: '', until: 0 }

export class SimulatedTerms {
  /** All that was ever granted, also what a failover has undone. */
  readonly granted: Granted[] = []
  readonly #database: DatabaseBeside
  readonly #weaknesses: ReadonlySet<Weakness>
  readonly #holders: Versions<Readonly<Partial<Record<TermName, Holder>>>>

  constructor(database: DatabaseBeside, weaknesses: ReadonlySet<Weakness>) {
    this.#database = database
    this.#weaknesses = weaknesses
    this.#holders = new Versions({}, () => database.lines.length)
  }

  /** Who has it now; null: nobody. */
  holderOf(name: TermName): string | null {
    const { server, until } = this.#last(name)
    return until > this.#database.now() ? server : null
  }

  take(name: TermName, server: string): boolean {
    const from = this.#database.now()
    const last = this.#last(name)
    const isOver = last.until <= from && !(last.until > 0 && this.#isEndless)
    if (!isOver && last.server !== server) return false
    const until = from + termMs
    this.#become(name, { server, until })
    this.granted.push({ name, server, from, until })
    return true
  }

  giveBack(name: TermName, server: string): void {
    if (this.#last(name).server === server) this.#become(name, nobody)
  }

  failOver(isLastKept: boolean): void {
    this.#holders.failOver(isLastKept)
  }

  /** What a server sees of the terms of a name. */
  over(parts: WireParts, name: TermName): Terms {
    const wire = new Wire(parts)
    return {
      take: (server) => wire.ask((answer) => answer(this.take(name, server))),
      giveBack: (server) => wire.ask((answer) => answer(this.giveBack(name, server))),
    }
  }

  get #isEndless(): boolean {
    return this.#weaknesses.has('terms without an end')
  }

  #last(name: TermName): Holder {
    return this.#holders.last[name] ?? nobody
  }

  #become(name: TermName, holder: Holder): void {
    this.#holders.become({ ...this.#holders.last, [name]: holder })
  }
}
