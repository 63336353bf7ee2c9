/**
 * A database as far as the protocol needs one: a log with a lock that a session holds, lines with a unique number,
 * saved states, terms and an outbox. What happens here happens at the instant at which a message arrives.
 */

import type { LogEntry } from '../../engine/index.ts'
import { termMs } from '../../server/timing/term-keeper.ts'
import type { Endpoint } from '../../server/webhooks/message.ts'
import type { KeptOutbox, OutboxWrite, Position } from '../../server/webhooks/outbox-database.ts'
import { emptyHead, firstChain } from '../../server/replica/log-database.ts'
import type { Head, Line, SavedState, Tail, Turn } from '../../server/replica/log-database.ts'
import type { Defect } from './defects.ts'
import type { SimulatedTime } from './time.ts'

/** A line with the head that was written with it, and what the properties ask. */
type StoredLine = Line &
  Head & { readonly entry: LogEntry; readonly lockedAt: number; readonly storedAt: number }

/** What is beside the log has the length of the log at that time: a failover that loses entries loses it too. */
type Beside = { readonly entries: number; isLost: boolean }

/** What only one server does at a time: it sends webhooks, or works on repositories. */
export type TermName = 'webhooks' | 'hosts'

/** A server may do it from then on, until then. */
type Term = Beside & {
  readonly name: TermName
  readonly server: string
  readonly from: number
  until: number
}

/** What the outbox was at one time, and who wrote it. */
type WrittenOutbox = Beside &
  Omit<OutboxWrite, 'settled'> & {
    readonly server: string
    readonly at: number
    /** True if the log had the entry of its position then. */
    readonly isOfLog: boolean
  }

const emptyOutbox = { revision: 0, lines: [], position: { sequence: 0, chain: firstChain } }

const lockTimeoutMs = 2_000
const idleTimeoutMs = 1_000

/** The connection of a server during one turn. */
type Session = {
  /** The name of its process. */
  readonly owner: string
  readonly onLocked: () => void
  /** When it got the lock. */
  lockedAt: number
  isOpen: boolean
}

export class SimulatedDatabase {
  readonly lines: StoredLine[] = []
  /** All that was ever granted, and all that the outbox has been, also what a failover has undone. */
  readonly terms: Term[] = []
  readonly outboxes: WrittenOutbox[] = []
  endpoints: readonly Endpoint[] = []
  /** When another machine took over, and how many lines it had. */
  readonly failovers: { readonly at: number; readonly kept: number }[] = []
  readonly #time: SimulatedTime
  readonly #defect: Defect | null
  readonly #states: SavedState[] = []
  /** The first one has the lock, and the others wait for it. */
  readonly #sessions: Session[] = []

  constructor(time: SimulatedTime, defect: Defect | null = null) {
    this.#time = time
    this.#defect = defect
  }

  /** The clock of the database. */
  now(): number {
    return Math.floor(this.#time.nowMs)
  }

  /** Waits for the lock. Rejects if that takes too long. */
  begin(owner: string, after: number): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const onLocked = (): void => {
        session.lockedAt = this.now()
        if (!this.#has('no-idle-timeout')) this.#time.after(idleTimeoutMs, end)
        resolve({
          tail: this.readTail(after),
          commit: (lines, head) => Promise.resolve(this.#commit(session, lines, head)),
          rollBack: () => Promise.resolve(end()),
        })
      }
      const session: Session = { owner, isOpen: true, lockedAt: Infinity, onLocked }
      const end = (): void => this.#end(session)
      const isFirst = this.#sessions.push(session) === 1
      if (isFirst || this.#has('neither-lock-nor-key')) onLocked()
      this.#time.after(lockTimeoutMs, () => {
        if (this.#sessions.indexOf(session) <= 0) return
        end()
        reject(new Error('the lock was not free in time'))
      })
    })
  }

  #commit(session: Session, lines: readonly Line[], head: Head): void {
    const isFree = lines.every(({ sequence }) => sequence > this.lines.length)
    const isStored = session.isOpen && (isFree || this.#has('neither-lock-nor-key'))
    const times = { lockedAt: session.lockedAt, storedAt: this.now() }
    if (isStored)
      for (const line of lines)
        this.lines.push({ ...head, ...line, entry: JSON.parse(line.text), ...times })
    this.#end(session)
    if (!isStored) throw new Error('the session has ended')
  }

  /** Ends a session without a change; the next one gets the lock. */
  #end(session: Session): void {
    session.isOpen = false
    const place = this.#sessions.indexOf(session)
    if (place === -1) return
    this.#sessions.splice(place, 1)
    if (place === 0) this.#sessions[0]?.onLocked()
  }

  /** The system of a process that has ended closes its connections. */
  endOf(process: string): void {
    for (const session of this.#sessions.filter(({ owner }) => owner === process))
      this.#end(session)
  }

  readTail(after: number): Tail {
    const later = this.lines.filter(({ sequence }) => sequence > after)
    const lines = later.map(({ sequence, text, chain }) => ({ sequence, text, chain }))
    const { sequence, at, chain, engine, wakeAt } = this.lines.at(-1) ?? emptyHead
    const before = this.lines.find((line) => line.sequence === after)
    return {
      now: this.now(),
      epoch: '0123456789',
      head: { sequence, at, chain, engine, wakeAt },
      chainBefore: after === 0 ? firstChain : (before?.chain ?? null),
      lines,
    }
  }

  /** The newest state that fits the log: after a failover it may have none of the later ones. */
  savedState(upTo = Infinity): SavedState | null {
    const fits = (state: SavedState): boolean =>
      this.#has('any-saved-state') || this.#isOfLog(state)
    return this.#states.findLast((state) => state.sequence <= upTo && fits(state)) ?? null
  }

  saveState(state: SavedState): void {
    this.#states.push(state)
  }

  /** Another machine takes over that does not have the last lines. All sessions are gone. */
  failOver(lost: number, isLastKept: boolean): void {
    const kept = Math.max(Math.min(1, this.lines.length), this.lines.length - lost)
    this.lines.length = kept
    this.failovers.push({ at: this.#time.nowMs, kept })
    // What was written after the last entry that is kept may be lost as well.
    const limit = kept + (isLastKept ? 1 : 0)
    for (const each of [...this.terms, ...this.outboxes]) each.isLost ||= each.entries >= limit
    this.restart()
  }

  /** All sessions end, and nothing that was committed is lost. */
  restart(): void {
    for (const session of this.#sessions.splice(0)) session.isOpen = false
  }

  takeTerm(name: TermName, server: string): boolean {
    const from = this.now()
    const others = this.#termsNow(name).filter((term) => term.server !== server)
    if (others.length > 0) return this.#has('works-without-a-term')
    this.terms.push({ name, server, from, until: from + termMs, ...this.#beside })
    return true
  }

  /** Nobody has it from now on. */
  giveBackTerm(name: TermName, server: string): void {
    for (const term of this.#termsNow(name)) if (term.server === server) term.until = this.now()
  }

  #termsNow(name: TermName): readonly Term[] {
    const isOver = ({ until }: Term): boolean =>
      until <= this.now() && !this.#has('terms-do-not-end')
    return this.terms.filter((term) => term.name === name && !term.isLost && !isOver(term))
  }

  /** True if the outbox is written; false if nothing is. */
  writeOutbox(server: string, { revision, position, lines, settled }: OutboxWrite): boolean {
    const last = this.readOutbox()
    const isOfLog = position.sequence === 0 || this.#isOfLog(position)
    const isOfTerm = this.#termsNow('webhooks').some((term) => term.server === server)
    const mayWrite =
      (isOfTerm || this.#has('anybody-writes-the-outbox')) &&
      (revision === last.revision || this.#has('writes-on-any-outbox')) &&
      (isOfLog || this.#has('writes-on-any-log'))
    if (!mayWrite) return false
    const others = last.lines.filter(
      ({ message }) => message === null || !settled.includes(message),
    )
    this.outboxes.push({
      server,
      at: this.now(),
      revision: last.revision + 1,
      position,
      isOfLog,
      lines: [...others, ...lines],
      ...this.#beside,
    })
    return true
  }

  readOutbox(): KeptOutbox {
    const last = this.outboxes.findLast(({ isLost }) => !isLost) ?? emptyOutbox
    const { revision, position, lines } = last
    return { now: this.now(), origin: 'simulated', revision, position, lines }
  }

  get #beside(): Beside {
    return { entries: this.lines.length, isLost: false }
  }

  #isOfLog({ sequence, chain }: Position): boolean {
    return this.lines[sequence - 1]?.chain === chain
  }

  #has(defect: Defect): boolean {
    return this.#defect === defect
  }
}
