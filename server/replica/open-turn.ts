/** The turn of a replica, which begins anew if the register must be loaded again in the middle. */

import type { Head, Line, LogDatabase, Tail, Turn } from './log-database.ts'

export class OpenTurn {
  readonly #database: LogDatabase
  #turn: Turn | null = null

  constructor(database: LogDatabase) {
    this.#database = database
  }

  async begin(after: number): Promise<Tail> {
    await this.end()
    this.#turn = await this.#database.begin(after)
    return this.#turn.tail
  }

  async commit(lines: readonly Line[], head: Head): Promise<void> {
    const turn = this.#turn
    if (lines.length === 0 || turn === null) return
    await turn.commit(lines, head)
    this.#turn = null
  }

  /** Ends what is open without a change. */
  async end(): Promise<void> {
    const turn = this.#turn
    this.#turn = null
    await turn?.rollBack()
  }
}
