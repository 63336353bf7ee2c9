/**
 * What must be known about the host after a restart: from when on requests count, up to where comments
 * were read, which head each open pull request had at the last poll, and who has the enqueueing label. If it
 * is lost, requests count from then on.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Notes } from '../hosting/forge.ts'

export type Memory = {
  /** What was asked for before is no request: an instant of the host in milliseconds; null: not known yet. */
  readonly since: number | null
  /** Comments that were updated before are known. Null: none was read yet. */
  readonly commentsSince: string | null
  /** The ids of comments grow; later edits of known comments are no commands. */
  readonly lastComment: number
  /** Those whose label is known. */
  readonly labelled: readonly PullRequestNumber[]
  /** Labelled drafts: the head for which the label waits, by number. */
  readonly waiting: Readonly<Record<string, Oid>>
  /** The head of each open pull request for the branch at the last poll, by number. */
  readonly heads: Readonly<Record<string, Oid>>
}

const nothing: Memory = {
  since: null,
  commentsSince: null,
  lastComment: 0,
  labelled: [],
  waiting: {},
  heads: {},
}

export class KeptMemory {
  readonly #notes: Notes
  #memory: Memory
  #isSaved = true

  constructor(notes: Notes) {
    this.#notes = notes
    this.#memory = read(notes)
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

/** What an older version wrote has no instant: its folder is not fresh, so all counts. */
function read(notes: Notes): Memory {
  try {
    const text = notes.read()
    if (text === null) return nothing
    const memory: Partial<Memory> = JSON.parse(text)
    return { ...nothing, since: 0, ...memory }
  } catch {
    return nothing
  }
}
