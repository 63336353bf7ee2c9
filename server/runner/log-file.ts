/**
 * The output of a run: the beginning and the end of it. What comes between is left out, so that a test
 * that prints for ever does not fill the disk.
 */

import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { isRegularFile, readForeignFile } from '../files/foreign-file.ts'

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants
// A test may have put a link or a FIFO in its place: neither is followed or awaited.
const anew = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK

const headBytes = 5 << 20
const tailBytes = 5 << 20

export class LogFile {
  readonly #file: number
  #written = 0
  /** The end of the output; the oldest byte is at `#seen` modulo its length. */
  #tail: Buffer | null = null
  #seen = 0
  #isClosed = false

  constructor(path: string) {
    this.#file = openSync(path, anew, 0o600)
  }

  write(data: Buffer | string): void {
    if (this.#isClosed) return
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    const room = headBytes - this.#written
    const head = bytes.subarray(0, room)
    this.#written += head.length
    this.#append(head)
    this.#keep(bytes.subarray(head.length))
  }

  /** Writes the end of the output, if there was too much. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#tail) {
      const left = Math.max(0, this.#seen - tailBytes)
      const start = left === 0 ? 0 : this.#seen % tailBytes
      if (left > 0) this.#append(Buffer.from(`\n[${left} bytes are left out]\n`))
      this.#append(this.#tail.subarray(start, left === 0 ? this.#seen : tailBytes))
      this.#append(this.#tail.subarray(0, start))
      this.#tail = null
    }
    closeSync(this.#file)
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#tail ??= Buffer.alloc(tailBytes)
    for (let rest = bytes; rest.length > 0;) {
      const copied = rest.copy(this.#tail, this.#seen % tailBytes)
      this.#seen += copied
      rest = rest.subarray(copied)
    }
  }

  /** A log is worth less than the run: on a full disk it stays incomplete. */
  #append(bytes: Buffer): void {
    try {
      if (bytes.length > 0) writeSync(this.#file, bytes)
    } catch {
      this.#written = headBytes
    }
  }
}

const shownBytes = 1 << 20

/** The last 1 MiB of a log, as far as it is written; null if there is none. */
export function endOfLog(path: string): { readonly log: string; readonly bytes: number } | null {
  if (!isRegularFile(path)) return null
  const { bytes, size } = readForeignFile(path, shownBytes)
  return { log: bytes.toString('utf8'), bytes: size }
}
