/**
 * The outbox of the sender: what is kept in the database for all servers, and what is not written yet. A
 * crash loses what is not written; the next sender makes those messages again from the log.
 */

import {
  type KeptLine,
  type KeptOutbox,
  type OutboxDatabase,
  type Position,
  TermIsOver,
} from './outbox-database.ts'
import { type Outbox, type OutboxLine, OutboxState } from './outbox.ts'

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
