/**
 * What must be known about the host after a restart: up to where comments were read, and who
 * has the enqueueing label because of a submission. If it is lost, comments count from now on.
 */

import type { Notes } from '../hosting/notes.ts'

export type Memory = {
  /** Comments that were updated before are known. Null: none was read yet. */
  readonly commentsSince: string | null
  /** The ids of comments grow; later edits of known comments are no commands. */
  readonly lastComment: number
  readonly labelled: readonly number[]
}

const nothing: Memory = { commentsSince: null, lastComment: 0, labelled: [] }

export class KeptMemory {
  readonly #notes: Notes
  #memory: Memory
  #isSaved = true

  constructor(notes: Notes) {
    this.#notes = notes
    this.#memory = { ...nothing, ...read(notes) }
  }

  get memory(): Memory {
    return this.#memory
  }

  /** Changes what is known; it is kept after the next `save`. */
  change(change: Partial<Memory>): void {
    const next = { ...this.#memory, ...change }
    if (JSON.stringify(next) === JSON.stringify(this.#memory)) return
    this.#memory = next
    this.#isSaved = false
  }

  async save(): Promise<void> {
    if (this.#isSaved) return
    this.#isSaved = true
    await this.#notes.write(`${JSON.stringify(this.#memory)}\n`)
  }
}

function read(notes: Notes): Partial<Memory> {
  try {
    const memory: Partial<Memory> = JSON.parse(notes.read() ?? '{}')
    return memory
  } catch {
    return {}
  }
}
