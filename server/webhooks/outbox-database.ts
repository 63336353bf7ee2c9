/**
 * What a sender needs of the database that keeps the outbox for all servers. PostgreSQL is behind it in
 * production, and a simulated database in the rehearsals.
 *
 * Every method rejects if the outcome is not known.
 */

import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import type { OutboxLine } from './outbox-state.ts'

/** A term ends so long after it was taken or after the last write, by the clock of the database. */
export const termMs: Millis = 5_000

/** A place in the shared log: an entry, and the chain that tells it from that of another log. */
export type Position = { readonly sequence: number; readonly chain: string }

/** The right to deliver. One server at a time has it. */
export type Term = {
  /** The process that has it. */
  readonly sender: string
  /** From 1, one more each time. */
  readonly number: number
  /** The time of the database when it was taken. */
  readonly now: Millis
  /** How often the outbox was written before. */
  readonly revision: number
  /** The log is processed up to here. */
  readonly position: Position
}

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
  /** Drawn once; it is part of all message ids. */
  readonly origin: string
  readonly position: Position
  readonly lines: readonly KeptLine[]
}

export type OutboxDatabase = {
  /** Takes the term if it is over, or if it is the sender's own; null if another server has it. */
  take(sender: string): Promise<Term | null>
  /**
   * Writes all or nothing, and prolongs the term. False, and nothing is written, if the term is over, if
   * somebody has written since `revision`, or if the log does not have the entry of the position.
   */
  write(term: Term, write: OutboxWrite): Promise<boolean>
  /** Ends the term, so that another server can take it at once. */
  giveBack(term: Term): Promise<void>
  read(): Promise<KeptOutbox>
  endpoints(): Promise<readonly Endpoint[]>
}

/** A server that is not the sender any more must stop to post. */
export class TermIsOver extends Error {
  override readonly name = 'TermIsOver'

  constructor() {
    super('another server may deliver the webhooks now')
  }
}
