/** The outbox in the simulated database: the position, the lines, and the endpoints. */

import type { Endpoint } from '../../server/webhooks/message.ts'
import type {
  KeptLine,
  KeptOutbox,
  OutboxWrite,
  Position,
} from '../../server/webhooks/outbox-database.ts'
import type { SimulatedTerms } from './terms.ts'
import { Versions } from './versions.ts'
import type { Weakness } from './weakness.ts'

/** The log and the terms in the same database. */
type DatabaseBeside = {
  readonly lines: readonly { readonly chain: string }[]
  readonly terms: SimulatedTerms
  readonly now: () => number
}

export type Kept = {
  /** Who wrote it. */
  readonly sender: string
  /** Who had the term then. */
  readonly holder: string | null
  readonly revision: number
  readonly position: Position
  /** True if the log had that entry when it was written. */
  readonly isOfLog: boolean
  readonly lines: readonly KeptLine[]
  /** Where each endpoint begins, as the first write that names it says. */
  readonly beginnings: ReadonlyMap<string, number>
  /** The time of the database. */
  readonly at: number
}

const empty: Kept = {
  ...{ sender: '', holder: null, revision: 0, lines: [], at: 0 },
  position: { sequence: 0, chain: '' },
  isOfLog: true,
  beginnings: new Map(),
}

export class SimulatedOutbox {
  /** What the outbox has been, also what a failover has undone. */
  readonly history: Kept[] = []
  endpoints: readonly Endpoint[] = []
  readonly #database: DatabaseBeside
  readonly #weaknesses: ReadonlySet<Weakness>
  readonly #versions: Versions<Kept>

  constructor(database: DatabaseBeside, weaknesses: ReadonlySet<Weakness>) {
    this.#database = database
    this.#weaknesses = weaknesses
    this.#versions = new Versions(empty, () => database.lines.length)
  }

  get beginnings(): ReadonlyMap<string, number> {
    return this.#versions.last.beginnings
  }

  /** True if it is written; false if nothing is. */
  write(sender: string, { revision, position, lines, settled }: OutboxWrite): boolean {
    const [{ last }, holder] = [this.#versions, this.#database.terms.holderOf('webhooks')]
    const mayWrite =
      (sender === holder || this.#weaknesses.has('writes of any sender')) &&
      (revision === last.revision || this.#weaknesses.has('writes after any other')) &&
      (this.#isThere(position) || this.#weaknesses.has('writes for any log'))
    if (!mayWrite) return false
    const gone = new Set(settled)
    const others = last.lines.filter(({ message }) => message === null || !gone.has(message))
    const named = lines.flatMap(({ line }) => (line.line === 'endpoint' ? [line.endpoint] : []))
    const kept: Kept = {
      ...{ sender, holder, position },
      isOfLog: this.#isThere(position),
      revision: last.revision + 1,
      lines: [...others, ...lines],
      beginnings: new Map([
        ...named.map((endpoint) => [endpoint, position.sequence] as const),
        ...last.beginnings,
      ]),
      at: this.#database.now(),
    }
    this.#versions.become(kept)
    this.history.push(kept)
    return true
  }

  read(): KeptOutbox {
    const { position, lines, revision } = this.#versions.last
    return { now: this.#database.now(), origin: 'simulated', revision, position, lines }
  }

  failOver(isLastKept: boolean): void {
    this.#versions.failOver(isLastKept)
  }

  #isThere({ sequence, chain }: Position): boolean {
    return sequence === 0 || this.#database.lines[sequence - 1]?.chain === chain
  }
}
