/** A log in memory, of which it is noted how often somebody has read it. */

import {
  emptyHead,
  type Head,
  type Line,
  type LogDatabase,
  type SavedState,
} from '../log-database.ts'

export class LogInMemory implements LogDatabase {
  readonly #lines: Line[] = []
  #head: Head = emptyHead
  saved: SavedState | null = null
  reads = 0
  /** The time of the database. */
  now = 1
  isBroken = false
  /** What is committed is kept, and its server does not get to know. */
  isSilent = false
  /** While a turn is open. */
  isLocked = false
  /** So many entries were read in turns. */
  readInTurns = 0

  /** Returns what restores the log of now. */
  copy(): () => void {
    const [lines, head] = [[...this.#lines], this.#head]
    return () => {
      this.#lines.splice(0, Infinity, ...lines)
      this.#head = head
    }
  }

  begin(after: number): ReturnType<LogDatabase['begin']> {
    const tail = this.#tail(after)
    this.isLocked = true
    this.readInTurns += tail.lines.length
    return Promise.resolve({
      tail,
      commit: (lines, head) => {
        this.#lines.push(...lines)
        this.#head = head
        this.isLocked = false
        return this.isSilent ? Promise.reject(new Error('nobody answers')) : Promise.resolve()
      },
      rollBack: () => {
        this.isLocked = false
        return Promise.resolve()
      },
    })
  }

  readTail(after: number): ReturnType<LogDatabase['readTail']> {
    this.reads++
    if (this.isBroken) return Promise.reject(new Error('the connection is broken'))
    return Promise.resolve(this.#tail(after))
  }

  savedState(): Promise<SavedState | null> {
    return Promise.resolve(this.saved)
  }

  saveState(state: SavedState): Promise<void> {
    this.saved = state
    return Promise.resolve()
  }

  #tail(after: number): Awaited<ReturnType<LogDatabase['readTail']>> {
    const chainBefore = after === 0 ? '' : (this.#lines[after - 1]?.chain ?? null)
    return {
      now: this.now,
      epoch: 'e',
      head: this.#head,
      chainBefore,
      lines: this.#lines.slice(after),
    }
  }
}
