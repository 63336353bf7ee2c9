/**
 * What must be known about the host after a restart, in a small file: up to where comments were read, and who
 * has the enqueueing label because of a submission. If it is lost, comments count from now on.
 */

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile } from '../files/replace-file.ts'

export type Memory = {
  /** Comments that were updated before are known. Null: none was read yet. */
  readonly commentsSince: string | null
  /** The ids of comments grow; later edits of known comments are no commands. */
  readonly lastComment: number
  readonly labelled: readonly number[]
}

const nothing: Memory = { commentsSince: null, lastComment: 0, labelled: [] }

export class MemoryFile {
  readonly #path: string
  #memory: Memory
  #isSaved = true

  constructor(path: string) {
    this.#path = path
    this.#memory = { ...nothing, ...read(path) }
  }

  get memory(): Memory {
    return this.#memory
  }

  /** Changes what is known; it is on disk after the next `save`. */
  change(change: Partial<Memory>): void {
    const next = { ...this.#memory, ...change }
    if (JSON.stringify(next) === JSON.stringify(this.#memory)) return
    this.#memory = next
    this.#isSaved = false
  }

  async save(): Promise<void> {
    if (this.#isSaved) return
    this.#isSaved = true
    mkdirSync(dirname(this.#path), { recursive: true })
    await replaceFile(this.#path, [`${JSON.stringify(this.#memory)}\n`])
  }
}

function read(path: string): Partial<Memory> {
  if (!existsSync(path)) return {}
  try {
    const memory: Partial<Memory> = JSON.parse(readFileSync(path, 'utf8'))
    return memory
  } catch {
    return {}
  }
}
