/**
 * What a server sees of the database: messages over a network that takes its time, can be cut, and can lose
 * an answer after the work was done.
 */

import type {
  Head,
  Line,
  LogDatabase,
  SavedState,
  Tail,
  Turn,
} from '../../server/replica/log-database.ts'
import type { Session, SimulatedDatabase } from './database.ts'
import { loadMs } from './plan.ts'
import type { SimulatedTime } from './time.ts'

/** Whoever has heard nothing for so long takes the connection for broken. */
const patienceMs = 3_000
const slowestMs = 8
const lossRate = 0.004

export type Link = {
  readonly time: SimulatedTime
  readonly database: SimulatedDatabase
  readonly draw: () => number
  readonly isCut: () => boolean
  /** Calls it as soon as the server is not paused. A server that has crashed never hears it. */
  readonly hear: (act: () => void) => void
  /** Notes the session of a turn, which ends with the process of the server. */
  readonly onSession: (session: Session) => void
}

export class Connection implements LogDatabase {
  readonly #link: Link

  constructor(link: Link) {
    this.#link = link
  }

  async begin(after: number): Promise<Turn> {
    const { database, onSession } = this.#link
    const session: Session = { isOpen: true, stopIdle: () => undefined }
    onSession(session)
    const tail = await this.#ask<Tail>((answer, refuse) =>
      database.begin(session, after, answer, () => refuse('the lock was not free in time')),
    ).catch((error: unknown) => {
      // The connection is closed, and the database notices it sooner or later.
      this.#tell(() => database.end(session))
      throw error
    })
    return {
      tail,
      commit: (lines: readonly Line[], head: Head) =>
        this.#ask<void>((answer, refuse) => {
          if (database.commit(session, lines, head)) answer()
          else refuse('the session has ended')
        }),
      rollBack: () => {
        this.#tell(() => database.end(session))
        return Promise.resolve()
      },
    }
  }

  look(after: number): Promise<Tail> {
    return this.#ask((answer) => answer(this.#link.database.look(after)))
  }

  savedState(): Promise<SavedState | null> {
    return this.#ask((answer) => answer(this.#link.database.savedState()))
  }

  saveState(state: SavedState): Promise<void> {
    return this.#ask((answer) => {
      this.#link.database.saveState(state)
      answer()
    })
  }

  /** Sends a message, and settles with its answer. Rejects if none comes. */
  #ask<T>(act: (answer: (value: T) => void, refuse: (why: string) => void) => void): Promise<T> {
    const { time, draw, hear } = this.#link
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => hear(() => reject(new Error(why)))
      const stop = time.after(patienceMs, () => fail('the database does not answer'))
      const back = (deliver: () => void): void => {
        const isLost = draw() < lossRate && time.nowMs < loadMs
        time.after(this.#delay(), () => {
          if (isLost || this.#link.isCut()) return
          stop()
          hear(deliver)
        })
      }
      this.#tell(() =>
        act(
          (value) => back(() => resolve(value)),
          (why) => back(() => reject(new Error(why))),
        ),
      )
    })
  }

  /** Sends a message for which nobody waits. */
  #tell(act: () => void): void {
    const { time, isCut } = this.#link
    if (isCut()) return
    time.after(this.#delay(), () => {
      if (!isCut()) act()
    })
  }

  #delay(): number {
    return 0.2 + this.#link.draw() ** 4 * slowestMs
  }
}
