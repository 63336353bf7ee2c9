/**
 * What a sender needs of the database that keeps the outbox for all servers. PostgreSQL is behind it in
 * production, and a simulated database in the rehearsals.
 *
 * Every method rejects if the outcome is not known.
 */

import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import type { OutboxLine } from './outbox.ts'

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
export class TermIsOver extends Error {
  override readonly name = 'TermIsOver'

  constructor() {
    super('another server may deliver the webhooks now')
  }
}
