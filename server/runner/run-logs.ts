/**
 * The output of a run: the beginning and the end of it. What comes between is left out, so that a test that prints
 * forever does not fill the disk; and so that many runs do not, the logs of the oldest go that are over.
 */

import { closeSync, constants, lstatSync, openSync, writeSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRegularFile, readForeignFile } from '../files/foreign-file.ts'

const defaultMostBytes = 2 * 2 ** 30
/** Of what they may take, so much is left of them when there are too many: else each run would look for the oldest. */
const leftShare = 0.9

export class RunLogs {
  readonly #folder: string
  readonly #mostBytes: number
  /** What the logs take; nobody has looked yet. */
  #bytes = Infinity
  #removing: Promise<void> = Promise.resolve()
  /** The paths of the logs of runs in progress. */
  readonly #open = new Set<string>()

  constructor(folder: string, mostBytes = defaultMostBytes) {
    this.#folder = folder
    this.#mostBytes = mostBytes
  }

  pathOf(id: string): string {
    return join(this.#folder, `${id}.log`)
  }

  open(id: string): LogFile {
    const path = this.pathOf(id)
    const log = new LogFile(path)
    this.#open.add(path)
    return log
  }

  /** The run is over. If the logs take too much, those of the oldest runs go. */
  close(id: string, log: LogFile): void {
    log.close()
    this.#open.delete(this.pathOf(id))
    this.#bytes += lstatSync(this.pathOf(id), { throwIfNoEntry: false })?.size ?? 0
    if (this.#bytes <= this.#mostBytes) return
    this.#bytes = 0
    // A log that cannot be removed is no reason to test nothing.
    this.#removing = this.#removing.then(() => this.#removeOldest()).catch(() => undefined)
  }

  /** Settles when nothing is being removed. */
  settled(): Promise<void> {
    return this.#removing
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.log'))
    const logs: { readonly path: string; readonly size: number; readonly at: number }[] = []
    let left = 0
    for (const name of names) {
      const path = join(this.#folder, name)
      const { size, mtimeMs: at } = await lstat(path)
      if (this.#open.has(path)) left += size
      else logs.push({ path, size, at })
    }
    const all = logs.reduce((sum, { size }) => sum + size, left)
    const most = all > this.#mostBytes ? this.#mostBytes * leftShare : all
    for (const { path, size } of logs.sort((a, b) => b.at - a.at)) {
      if (left + size <= most) left += size
      else await rm(path, { force: true })
    }
    this.#bytes += left
  }
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants
// A test may have put a link or a FIFO in its place: neither is followed or awaited.
const anew = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK

const headBytes = 5 << 20
const tailBytes = 5 << 20

const lineEnd = 0x0a

export class LogFile {
  readonly #file: number
  #written = 0
  /** The end of the output; the oldest byte is at `#seen` modulo its length. */
  #tail: Buffer | null = null
  #seen = 0
  #isClosed = false
  #isWithinLine = false

  constructor(path: string) {
    this.#file = openSync(path, anew, 0o600)
  }

  /** Writes a line of the runner, also where the output before it has no line end. */
  say(words: string): void {
    this.write(Buffer.from(`${this.#isWithinLine ? '\n' : ''}${words}\n`))
  }

  /** Writes output of a command as it is. */
  write(bytes: Buffer): void {
    if (this.#isClosed || bytes.length === 0) return
    this.#isWithinLine = bytes.at(-1) !== lineEnd
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
