/**
 * The outbox in the simulated database: whose term it is, the lines, and the endpoints. It is part of the
 * same database as the log, so a failover that loses entries also loses what was written after them.
 */

import type { Endpoint } from '../../server/webhooks/endpoints.ts'
import {
  termMs,
  type KeptLine,
  type KeptOutbox,
  type OutboxWrite,
  type Position,
  type Term,
} from '../../server/webhooks/outbox-database.ts'
import type { Weakness } from './weakness.ts'

/** The log in the same database. */
type LogBeside = {
  readonly lines: readonly { readonly chain: string }[]
  readonly now: () => number
}

/** What somebody has done to the outbox, as it was accepted. */
export type OutboxAct = {
  readonly kind: 'take' | 'write' | 'give back' | 'failover'
  readonly sender: string
  readonly term: number
  readonly at: number
  /** When the term ends after it. */
  readonly until: number
}

export type Kept = {
  readonly sender: string
  readonly term: number
  readonly until: number
  readonly revision: number
  readonly position: Position
  /** True if the log had that entry when it was written. */
  readonly isOfLog: boolean
  readonly lines: readonly KeptLine[]
  /** Where each endpoint begins, as the first write that names it says. */
  readonly beginnings: ReadonlyMap<string, number>
  /** The length of the log at that time. */
  readonly entries: number
  /** The time of the database. */
  readonly at: number
}

const empty: Kept = {
  ...{ sender: '', term: 0, until: 0, revision: 0, lines: [], entries: 0, at: 0 },
  position: { sequence: 0, chain: '' },
  isOfLog: true,
  beginnings: new Map(),
}

export class SimulatedOutbox {
  readonly acts: OutboxAct[] = []
  /** What the outbox has been, also what a failover has undone. */
  readonly history: Kept[] = []
  endpoints: readonly Endpoint[] = []
  readonly #database: LogBeside
  readonly #weaknesses: ReadonlySet<Weakness>
  #versions: Kept[] = [empty]

  constructor(database: LogBeside, weaknesses: ReadonlySet<Weakness>) {
    this.#database = database
    this.#weaknesses = weaknesses
  }

  get beginnings(): ReadonlyMap<string, number> {
    return this.#kept.beginnings
  }

  take(sender: string): Term | null {
    const now = this.#database.now()
    const { until, term, revision, position, sender: holder } = this.#kept
    const isFree = (until <= now || sender === holder) && !this.#isEndless(holder, sender)
    if (!isFree) return null
    this.#become('take', { sender, term: term + 1, until: now + termMs })
    return { sender, number: term + 1, now, revision, position }
  }

  /** True if it is written; false if nothing is. */
  write(by: Term, { revision, position, lines, settled }: OutboxWrite): boolean {
    if (!this.#mayWrite(by, revision, position)) return false
    const gone = new Set(settled)
    const others = this.#kept.lines.filter(({ message }) => message === null || !gone.has(message))
    const named = lines.flatMap(({ line }) => (line.line === 'endpoint' ? [line.endpoint] : []))
    this.#become('write', {
      ...{ sender: by.sender, term: by.number, position },
      isOfLog: this.#isThere(position),
      revision: this.#kept.revision + 1,
      until: this.#database.now() + termMs,
      lines: [...others, ...lines],
      beginnings: new Map([
        ...named.map((endpoint) => [endpoint, position.sequence] as const),
        ...this.#kept.beginnings,
      ]),
    })
    return true
  }

  giveBack({ sender, number }: Term): void {
    const { sender: holder, term } = this.#kept
    if (sender === holder && number === term)
      this.#become('give back', { until: this.#database.now() })
  }

  read(): KeptOutbox {
    const { position, lines } = this.#kept
    return { origin: 'simulated', position, lines }
  }

  /**
   * What was written after the entries that are lost is lost too, and what was written after the last entry
   * that is kept may be.
   */
  failOver(isLastKept: boolean): void {
    const { length } = this.#database.lines
    const isLeft = ({ entries }: Kept): boolean => entries < length + (isLastKept ? 1 : 0)
    this.#versions = this.#versions.filter(isLeft)
    this.#become('failover', {})
  }

  get #kept(): Kept {
    return this.#versions.at(-1) ?? empty
  }

  #mayWrite({ sender, number }: Term, revision: number, position: Position): boolean {
    const { sender: holder, term, until, revision: known } = this.#kept
    const isOfTerm = sender === holder && number === term && until > this.#database.now()
    return (
      (isOfTerm || this.#weaknesses.has('writes of any sender')) &&
      (revision === known || this.#weaknesses.has('writes after any other')) &&
      (this.#isThere(position) || this.#weaknesses.has('writes for any log'))
    )
  }

  #isThere({ sequence, chain }: Position): boolean {
    return sequence === 0 || this.#database.lines[sequence - 1]?.chain === chain
  }

  #isEndless(holder: string, sender: string): boolean {
    const isHeld = holder !== '' && holder !== sender && this.acts.at(-1)?.kind !== 'give back'
    return isHeld && this.#weaknesses.has('terms without an end')
  }

  #become(kind: OutboxAct['kind'], changed: Partial<Kept>): void {
    const [entries, at] = [this.#database.lines.length, this.#database.now()]
    const kept = { ...this.#kept, ...changed, entries, at }
    this.#versions.push(kept)
    this.history.push(kept)
    const { sender, term, until } = kept
    this.acts.push({ kind, sender, term, until, at })
  }
}
