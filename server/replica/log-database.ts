/**
 * What a replica needs of the database that keeps the log for all servers. PostgreSQL is behind it in
 * production, and a simulated database in the rehearsals of the protocol.
 *
 * Every method rejects if the outcome is not known: the connection broke, the database said no, or it took
 * too long.
 */

import type { Millis } from '../../engine/index.ts'

/** Where the log ends. It is locked during a turn. */
export type Head = {
  /** The last entry; 0 in an empty log. */
  readonly sequence: number
  /** The instant of the last entry. */
  readonly at: Millis
  /** The chain up to the last entry. */
  readonly chain: string
  /** The version of the engine that made the last entry. An older engine must not append after it. */
  readonly engine: number
  /** When somebody must wake a queue; null: never. */
  readonly wakeAt: Millis | null
}

/** An entry as it is stored. */
export type Line = {
  readonly sequence: number
  /** The entry as JSON. It is kept as text, because the chain is made of its bytes. */
  readonly text: string
  readonly chain: string
}

export type Tail = {
  /** The time of the database, the one clock of all servers. */
  readonly now: Millis
  /** The first epoch in the ids of test runs: drawn with the log, so that all servers give the same ids. Entries begin others. */
  readonly epoch: string
  readonly head: Head
  /** The chain at the entry behind which the tail begins; null if the log does not have that entry. */
  readonly chainBefore: string | null
  readonly lines: readonly Line[]
}

/** The right to append: nobody else appends until `commit` or `rollBack`. */
export type Turn = {
  readonly tail: Tail
  /** Appends the lines and moves the head, both or neither. Durable once it has settled. */
  readonly commit: (lines: readonly Line[], head: Head) => Promise<void>
  /** Ends the turn without a change. Never rejects. */
  readonly rollBack: () => Promise<void>
}

/** The state after an entry, so that not every entry must be replayed. */
export type SavedState = {
  readonly sequence: number
  readonly at: Millis
  readonly chain: string
  /** The engine that saved it. */
  readonly engine: number
  /** The lines of a snapshot, each as JSON. */
  readonly lines: readonly string[]
}

export type LogDatabase = {
  /** Waits for the lock of the log, and then reads what follows the entry `after`. */
  begin(after: number): Promise<Turn>
  /** Reads what follows the entry `after`, without a lock: everything that was committed before the call. */
  readTail(after: number): Promise<Tail>
  /** The newest saved state, of those up to this entry; null if there is none. */
  savedState(upTo?: number): Promise<SavedState | null>
  saveState(state: SavedState): Promise<void>
}

/** The chain of an empty log. */
export const firstChain = ''

export const emptyHead: Head = { sequence: 0, at: 0, chain: firstChain, engine: 0, wakeAt: null }

// Why a server cannot answer from a shared log.

/** The log is not the one that this server knew: a tail was lost, or an older copy was restored. */
export class LogDiffers extends Error {
  override readonly name = 'LogDiffers'
}

/** A newer engine has taken the log over. This server must not decide anything any more. */
export class NewerEngine extends Error {
  override readonly name = 'NewerEngine'

  constructor(theirs: number, ours: number) {
    super(
      `version ${theirs} of the engine has taken the log over, and this server has version ${ours}: ` +
        'start a newer version of Mergeyard here',
    )
  }
}
