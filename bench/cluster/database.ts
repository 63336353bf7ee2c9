/**
 * A database as far as the protocol needs one: the head of a log with a lock that a session holds, lines
 * with a unique number, saved states. What happens here happens at the instant at which a message arrives.
 */

import { termMs } from '../../server/timing/term-keeper.ts'
import type { Endpoint } from '../../server/webhooks/message.ts'
import type {
  KeptLine,
  KeptOutbox,
  OutboxWrite,
  Position,
} from '../../server/webhooks/outbox-database.ts'
import { emptyHead, firstChain } from '../../server/replica/log-database.ts'
import type { Head, Line, SavedState, Tail } from '../../server/replica/log-database.ts'
import type { Defect } from './defects.ts'
import type { SimulatedTime } from './time.ts'

/** What only one server does at a time: it sends webhooks, or works on repositories. */
export type TermName = 'webhooks' | 'hosts'

/** A server may do it from then on, until then. */
type Granted = {
  readonly name: TermName
  readonly server: string
  readonly from: number
  readonly until: number
}

export type Failover = { readonly atMs: number; readonly kept: number }

/** What the outbox was at one time. */
type Kept = {
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
  sender: '',
  holder: null,
  revision: 0,
  lines: [],
  at: 0,
  position: { sequence: 0, chain: '' },
  isOfLog: true,
  beginnings: new Map(),
}

/** What is beside the log has the length of the log at that time: a failover that loses entries loses it too. */
type Beside<Written> = { readonly written: Written; readonly entries: number }

const lockTimeoutMs = 2_000
const idleTimeoutMs = 1_000
/** The clock of the database at the beginning. */
export const epochMs = 1_750_000_000_000

/** Of the whole log: the same for all servers. */
export const epoch = '0123456789'

/** The connection of a server during one turn. */
export type Session = { isOpen: boolean; stopIdle: () => void }

type Waiter = { readonly session: Session; readonly grant: () => void }

/** A line with what the properties ask: when it came, which engine made it, and who worked. */
export type StoredLine = Line & {
  readonly storedAtMs: number
  readonly engine: number
  /** Who had the term of the work on repositories then. */
  readonly worker: string | null
}

export class SimulatedDatabase {
  readonly lines: StoredLine[] = []
  /** All that was ever granted, and all that the outbox has been, also what a failover has undone. */
  readonly granted: Granted[] = []
  readonly outboxes: Kept[] = []
  endpoints: readonly Endpoint[] = []
  /** When another machine took over, and how many lines it had. */
  readonly failovers: Failover[] = []
  readonly #time: SimulatedTime
  readonly #defect: Defect | null
  #head = emptyHead
  readonly #states: SavedState[] = []
  #terms: Beside<Granted>[] = []
  #outboxes: Beside<Kept>[] = []
  #holder: Session | null = null
  #waiters: Waiter[] = []

  constructor(time: SimulatedTime, defect: Defect | null = null) {
    this.#time = time
    this.#defect = defect
  }

  /** The clock of the database. */
  now(): number {
    return epochMs + Math.floor(this.#time.nowMs)
  }

  /** Calls `grant` with the tail once the session holds the lock; `refuse` if that takes too long. */
  begin(session: Session, after: number, grant: (tail: Tail) => void, refuse: () => void): void {
    const granted = (): void => {
      session.stopIdle = this.#has('no-idle-timeout')
        ? () => undefined
        : this.#time.after(idleTimeoutMs, () => this.end(session))
      grant(this.readTail(after))
    }
    if (this.#holder === null || this.#has('neither-lock-nor-key')) {
      this.#holder = session
      granted()
      return
    }
    const waiter: Waiter = { session, grant: granted }
    this.#waiters.push(waiter)
    this.#time.after(lockTimeoutMs, () => {
      if (!this.#waiters.includes(waiter)) return
      this.#waiters = this.#waiters.filter((each) => each !== waiter)
      refuse()
    })
  }

  /** True if everything is stored; false if nothing is. */
  commit(session: Session, lines: readonly Line[], head: Head): boolean {
    if (!session.isOpen) return false
    const isFree = lines.every(({ sequence }) => sequence > this.lines.length)
    if (!isFree && !this.#has('neither-lock-nor-key')) {
      this.end(session)
      return false
    }
    const storedAtMs = this.now()
    const [{ engine }, worker] = [head, this.holderOf('hosts')]
    for (const line of lines) this.lines.push({ ...line, storedAtMs, engine, worker })
    this.#head = head
    this.end(session)
    return true
  }

  /** Ends a session without a change; the next in line gets the lock. */
  end(session: Session): void {
    session.isOpen = false
    session.stopIdle()
    this.#waiters = this.#waiters.filter((each) => each.session !== session)
    if (this.#holder !== session) return
    const next = this.#waiters.shift()
    this.#holder = next?.session ?? null
    next?.grant()
  }

  readTail(after: number): Tail {
    const later = this.lines.filter(({ sequence }) => sequence > after)
    const lines = later.map(({ sequence, text, chain }) => ({ sequence, text, chain }))
    const before = after === 0 ? firstChain : this.lines.find(({ sequence }) => sequence === after)
    const chainBefore = typeof before === 'string' ? before : (before?.chain ?? null)
    return { now: this.now(), epoch, head: this.#head, chainBefore, lines }
  }

  /** The newest state that fits the log: after a failover it may have none of the later ones. */
  savedState(upTo = Infinity): SavedState | null {
    const fits = ({ sequence, chain }: SavedState): boolean =>
      this.#has('any-saved-state') || this.lines[sequence - 1]?.chain === chain
    return this.#states.findLast((state) => state.sequence <= upTo && fits(state)) ?? null
  }

  saveState(state: SavedState): void {
    this.#states.push(state)
  }

  /** Another machine takes over that does not have the last lines. All sessions are gone. */
  failOver(lost: number, isLastKept: boolean): void {
    const kept = Math.max(Math.min(1, this.lines.length), this.lines.length - lost)
    this.lines.length = kept
    this.failovers.push({ atMs: this.#time.nowMs, kept })
    const last = this.lines.at(-1)
    const { sequence = 0, chain = firstChain, engine = 0, text = '{"at":0}' } = last ?? {}
    const { at }: { at: number } = JSON.parse(text)
    this.#head = { sequence, at, chain, engine, wakeAt: at }
    // What was written after the last entry that is kept may be lost as well.
    const limit = kept + (isLastKept ? 1 : 0)
    this.#terms = this.#terms.filter(({ entries }) => entries < limit)
    this.#outboxes = this.#outboxes.filter(({ entries }) => entries < limit)
    this.restart()
  }

  /** All sessions end, and nothing that was committed is lost. */
  restart(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { session } of waiters) session.isOpen = false
    if (this.#holder) this.end(this.#holder)
  }

  /** Who has the term now; null: nobody. */
  holderOf(name: TermName): string | null {
    const last = this.#lastTerm(name)
    return last && last.until > this.now() ? last.server : null
  }

  takeTerm(name: TermName, server: string): boolean {
    const from = this.now()
    const last = this.#lastTerm(name)
    const until = last && last.until > 0 && this.#has('terms-do-not-end') ? Infinity : last?.until
    if ((until ?? 0) > from && last?.server !== server) return false
    const term = { name, server, from, until: from + termMs }
    this.#terms.push({ written: term, entries: this.lines.length })
    this.granted.push(term)
    return true
  }

  /** Nobody has it from now on. */
  giveBackTerm(name: TermName, server: string): void {
    if (this.#lastTerm(name)?.server !== server) return
    const over = { name, server: '', from: this.now(), until: 0 }
    this.#terms.push({ written: over, entries: this.lines.length })
  }

  #lastTerm(name: TermName): Granted | undefined {
    return this.#terms.findLast(({ written }) => written.name === name)?.written
  }

  get outbox(): Kept {
    return this.#outboxes.at(-1)?.written ?? empty
  }

  /** True if the outbox is written; false if nothing is. */
  writeOutbox(sender: string, { revision, position, lines, settled }: OutboxWrite): boolean {
    const [last, holder] = [this.outbox, this.holderOf('webhooks')]
    const { sequence, chain } = position
    const isOfLog = sequence === 0 || this.lines[sequence - 1]?.chain === chain
    const mayWrite =
      (sender === holder || this.#has('anybody-writes-the-outbox')) &&
      (revision === last.revision || this.#has('writes-on-any-outbox')) &&
      (isOfLog || this.#has('writes-on-any-log'))
    if (!mayWrite) return false
    const gone = new Set(settled)
    const others = last.lines.filter(({ message }) => message === null || !gone.has(message))
    const named = lines.flatMap(({ line }) => (line.line === 'endpoint' ? [line.endpoint] : []))
    const outbox: Kept = {
      sender,
      holder,
      position,
      isOfLog,
      revision: last.revision + 1,
      lines: [...others, ...lines],
      beginnings: new Map([
        ...named.map((endpoint) => [endpoint, sequence] as const),
        ...last.beginnings,
      ]),
      at: this.now(),
    }
    this.#outboxes.push({ written: outbox, entries: this.lines.length })
    this.outboxes.push(outbox)
    return true
  }

  readOutbox(): KeptOutbox {
    const { position, lines, revision } = this.outbox
    return { now: this.now(), origin: 'simulated', revision, position, lines }
  }

  #has(defect: Defect): boolean {
    return this.#defect === defect
  }
}
