/**
 * What a sender needs of the database that keeps the outbox for all servers. PostgreSQL is behind it in
 * production, and a simulated database in the rehearsals.
 *
 * Every method rejects if the outcome is not known.
 */

import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './message.ts'
import { type OutboxLine, type Outbox, OutboxState } from './outbox.ts'

/** A place in the shared log: an entry, and the chain that tells it from that of another log. */
export type Position = { readonly sequence: number; readonly chain: string }

export type KeptLine = {
  /** Lines are read in the order of their places. */
  readonly place: number
  /** The id of the message that the line is about; null: an endpoint. */
  readonly message: string | null
  readonly line: OutboxLine
}

export type OutboxWrite = {
  /** How often the outbox was written before, as this sender knows. */
  readonly revision: number
  /** The log is processed up to here. */
  readonly position: Position
  readonly lines: readonly KeptLine[]
  /** Messages for which nobody waits any more. Their lines go. */
  readonly settled: readonly string[]
}

export type KeptOutbox = {
  /** The time of the database when it was read. */
  readonly now: Millis
  /** Drawn once; it is part of all message ids. */
  readonly origin: string
  /** How often it was written. */
  readonly revision: number
  readonly position: Position
  readonly lines: readonly KeptLine[]
}

export type OutboxDatabase = {
  /**
   * Writes all or nothing. False, and nothing is written, if the sender does not have the term, if somebody
   * has written since `revision`, or if the log does not have the entry of the position.
   */
  write(sender: string, write: OutboxWrite): Promise<boolean>
  read(): Promise<KeptOutbox>
  endpoints(): Promise<readonly Endpoint[]>
}

/** A server that is not the sender any more must stop to post. */
class TermIsOver extends Error {
  override readonly name = 'TermIsOver'

  constructor() {
    super('another server may deliver the webhooks now')
  }
}

// The outbox of the sender: what is kept in the database for all servers, and what is not written yet. A
// crash loses what is not written; the next sender makes those messages again from the log.

export type SharedOutboxParts = {
  readonly database: OutboxDatabase
  /** The process that has the term. */
  readonly sender: string
}

export class SharedOutbox implements Outbox {
  state = new OutboxState()
  readonly #parts: SharedOutboxParts
  #pending: OutboxLine[] = []
  /** The messages that have lines in the database. */
  readonly #kept = new Set<string>()
  #place = 0
  #revision = 0

  constructor(parts: SharedOutboxParts) {
    this.#parts = parts
  }

  get hasPending(): boolean {
    return this.#pending.length > 0
  }

  load(kept: KeptOutbox): void {
    this.state = stateOf(kept)
    this.#revision = kept.revision
    for (const { message, place } of kept.lines) {
      this.#place = place
      if (message !== null) this.#kept.add(message)
    }
  }

  add(line: OutboxLine): void {
    this.state.apply(line)
    this.#pending.push(line)
  }

  reach(sequence: number): void {
    this.state.apply({ line: 'through', sequence })
  }

  /** Writes what is pending. Rejects if that failed; then nothing here is valid. */
  async write(position: Position): Promise<void> {
    const { database, sender } = this.#parts
    const pending = this.#pending
    this.#pending = []
    const settled = this.#settledBy(pending)
    const lines = pending
      .filter((line) => !settled.has(aboutIn(line) ?? ''))
      .map((line) => this.#keptLine(line))
    const known = [...settled].filter((id) => this.#kept.delete(id))
    const revision = this.#revision
    const isWritten = await database.write(sender, { revision, position, lines, settled: known })
    if (!isWritten) throw new TermIsOver()
    this.#revision = revision + 1
  }

  #keptLine(line: OutboxLine): KeptLine {
    const message = aboutIn(line)
    if (message !== null) this.#kept.add(message)
    this.#place++
    return { place: this.#place, message, line }
  }

  /** The messages for which these lines leave nobody who waits. */
  #settledBy(pending: readonly OutboxLine[]): ReadonlySet<string> {
    const named = pending.map(aboutIn).filter((id) => id !== null)
    // These lines can settle messages that they do not name.
    const isWide = pending.some(({ line }) => line === 'removed' || line === 'undelivered')
    const queues = [...this.state.deliveryQueues.values()]
    const isSettled = (id: string): boolean => queues.every(({ deliveries }) => !deliveries.has(id))
    return new Set([...named, ...(isWide ? this.#kept : [])].filter(isSettled))
  }
}

/** The id of the message that a line is about. */
function aboutIn(line: OutboxLine): string | null {
  if (line.line === 'message') return line.message.id
  return 'message' in line ? line.message : null
}

/** What is to be delivered, as the database says. */
export function stateOf({
  origin,
  position,
  lines,
}: Pick<KeptOutbox, 'origin' | 'position' | 'lines'>): OutboxState {
  const state = new OutboxState()
  state.origin = origin
  state.through = position.sequence
  for (const { line } of lines) state.apply(line)
  return state
}

/** The lines that result in this state. */
export function keptLinesOf(state: OutboxState): readonly KeptLine[] {
  return [...state.lines()]
    .filter(({ line }) => line !== 'outbox' && line !== 'through')
    .map((line, place) => ({ place, message: aboutIn(line), line }))
}
