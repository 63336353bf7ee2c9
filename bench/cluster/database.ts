/**
 * A database as far as the protocol needs one: the head of a log with a lock that a session holds, lines
 * with a unique number, saved states. What happens here happens at the instant at which a message arrives.
 */

import {
  emptyHead,
  firstChain,
  type Head,
  type Line,
  type SavedState,
  type Tail,
} from '../../server/replica/log-database.ts'
import { SimulatedOutbox } from './outbox.ts'
import { SimulatedTerms } from './terms.ts'
import type { SimulatedTime } from './time.ts'
import type { Weakness } from './weakness.ts'

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
  readonly terms: SimulatedTerms
  readonly outbox: SimulatedOutbox
  /** How many lines a failover has lost so far. */
  lost = 0
  readonly #time: SimulatedTime
  readonly #weaknesses: ReadonlySet<Weakness>
  #head = emptyHead
  readonly #states: SavedState[] = []
  #holder: Session | null = null
  #waiters: Waiter[] = []

  constructor(time: SimulatedTime, weaknesses: ReadonlySet<Weakness>) {
    this.#time = time
    this.#weaknesses = weaknesses
    this.terms = new SimulatedTerms(this, weaknesses)
    this.outbox = new SimulatedOutbox(this, weaknesses)
  }

  get head(): Head {
    return this.#head
  }

  /** The clock of the database. */
  now(): number {
    return epochMs + Math.floor(this.#time.nowMs)
  }

  /** Calls `grant` with the tail once the session holds the lock; `refuse` if that takes too long. */
  begin(session: Session, after: number, grant: (tail: Tail) => void, refuse: () => void): void {
    const granted = (): void => {
      session.stopIdle = this.#has('no idle timeout')
        ? () => undefined
        : this.#time.after(idleTimeoutMs, () => this.end(session))
      grant(this.look(after))
    }
    if (this.#holder === null || this.#has('no lock and no unique number')) {
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
    if (!isFree && !this.#has('no lock and no unique number')) {
      this.end(session)
      return false
    }
    const storedAtMs = this.now()
    const [{ engine }, worker] = [head, this.terms.holderOf('hosts')]
    for (const line of lines) this.lines.push({ ...line, storedAtMs, engine, worker })
    this.#head = head
    this.end(session)
    return true
  }

  /** Ends a session without a change; whoever waits for the lock gets it. */
  end(session: Session): void {
    session.isOpen = false
    session.stopIdle()
    this.#waiters = this.#waiters.filter((each) => each.session !== session)
    if (this.#holder !== session) return
    const next = this.#waiters.shift()
    this.#holder = next?.session ?? null
    next?.grant()
  }

  look(after: number): Tail {
    const later = this.lines.filter(({ sequence }) => sequence > after)
    const lines = later.map(({ sequence, text, chain }) => ({ sequence, text, chain }))
    const before = after === 0 ? firstChain : this.lines.find(({ sequence }) => sequence === after)
    const chainBefore = typeof before === 'string' ? before : (before?.chain ?? null)
    return { now: this.now(), epoch, head: this.#head, chainBefore, lines }
  }

  /** The newest state that fits the log: after a failover it may have none of the later ones. */
  savedState(upTo = Infinity): SavedState | null {
    const fits = ({ sequence, chain }: SavedState): boolean =>
      this.#has('any saved state') || this.lines[sequence - 1]?.chain === chain
    return this.#states.findLast((state) => state.sequence <= upTo && fits(state)) ?? null
  }

  saveState(state: SavedState): void {
    this.#states.push(state)
  }

  /** Another machine takes over that had not heard of the last lines. All sessions are gone. */
  failOver(lost: number, isLastKept: boolean): void {
    const kept = Math.max(Math.min(1, this.lines.length), this.lines.length - lost)
    this.lost += this.lines.length - kept
    this.lines.length = kept
    const last = this.lines.at(-1)
    const { sequence = 0, chain = firstChain, engine = 0, text = '{"at":0}' } = last ?? {}
    const { at }: { at: number } = JSON.parse(text)
    this.#head = { sequence, at, chain, engine, wakeAt: at }
    this.terms.failOver(isLastKept)
    this.outbox.failOver(isLastKept)
    this.restart()
  }

  /** All sessions end, and nothing that was committed is lost. */
  restart(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { session } of waiters) session.isOpen = false
    if (this.#holder) this.end(this.#holder)
  }

  #has(weakness: Weakness): boolean {
    return this.#weaknesses.has(weakness)
  }
}
