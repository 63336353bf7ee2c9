/** What a server sees of the log in the database. */

import type {
  Head,
  Line,
  LogDatabase,
  SavedState,
  Tail,
  Turn,
} from '../../server/replica/log-database.ts'
import type { Session, SimulatedDatabase } from './database.ts'
import { Wire, type WireParts } from './wire.ts'

export type Link = WireParts & {
  readonly database: SimulatedDatabase
  /** Notes the session of a turn, which ends with the process of the server. */
  readonly onSession: (session: Session) => void
}

export class Connection implements LogDatabase {
  readonly #link: Link
  readonly #wire: Wire

  constructor(link: Link) {
    this.#link = link
    this.#wire = new Wire(link)
  }

  async begin(after: number): Promise<Turn> {
    const { database, onSession } = this.#link
    const session: Session = { isOpen: true, stopIdle: () => undefined }
    onSession(session)
    const tail = await this.#wire
      .ask<Tail>((answer, refuse) =>
        database.begin(session, after, answer, () => refuse('the lock was not free in time')),
      )
      .catch((error: unknown) => {
        // The connection is closed, and the database notices it sooner or later.
        this.#wire.tell(() => database.end(session))
        throw error
      })
    return {
      tail,
      commit: (lines: readonly Line[], head: Head) =>
        this.#wire.ask<void>((answer, refuse) => {
          if (database.commit(session, lines, head)) answer()
          else refuse('the session has ended')
        }),
      rollBack: () => {
        this.#wire.tell(() => database.end(session))
        return Promise.resolve()
      },
    }
  }

  look(after: number): Promise<Tail> {
    return this.#wire.ask((answer) => answer(this.#link.database.look(after)))
  }

  savedState(upTo?: number): Promise<SavedState | null> {
    return this.#wire.ask((answer) => answer(this.#link.database.savedState(upTo)))
  }

  saveState(state: SavedState): Promise<void> {
    return this.#wire.ask((answer) => {
      this.#link.database.saveState(state)
      answer()
    })
  }
}
