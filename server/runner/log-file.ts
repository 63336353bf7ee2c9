/**
 * The output of a run: the beginning and the end of it. What comes between is left out, so that a test
 * that prints for ever does not fill the disk.
 */

import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'

const headBytes = 5 << 20
const tailBytes = 5 << 20

export class LogFile {
  readonly #file: number
  #written = 0
  #left = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #isClosed = false

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  write(data: Buffer | string): void {
    if (this.#isClosed) return
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    const room = Math.max(0, headBytes - this.#written)
    const head = bytes.subarray(0, room)
    if (head.length > 0) writeSync(this.#file, head)
    this.#written += head.length
    if (bytes.length > room) this.#keep(bytes.subarray(room))
  }

  /** Writes the end of the output, if there was too much. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#left > 0) writeSync(this.#file, `\n[${this.#left} bytes are left out]\n`)
    for (const part of this.#tail) writeSync(this.#file, part)
    this.#tail = []
    closeSync(this.#file)
  }

  #keep(bytes: Buffer): void {
    this.#tail.push(Buffer.from(bytes))
    this.#tailBytes += bytes.length
    for (let first = this.#tail[0]; first; first = this.#tail[0]) {
      if (this.#tailBytes - first.length < tailBytes) return
      this.#tail.shift()
      this.#tailBytes -= first.length
      this.#left += first.length
    }
  }
}

const shownBytes = 1 << 20

/** The last 1 MiB of a log, as far as it is written; null if there is none. */
export function endOfLog(path: string): { readonly log: string; readonly bytes: number } | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const bytes = fstatSync(file).size
    const end = Buffer.alloc(Math.min(bytes, shownBytes))
    const length = readSync(file, end, 0, end.length, bytes - end.length)
    return { log: end.toString('utf8', 0, length), bytes }
  } finally {
    closeSync(file)
  }
}
