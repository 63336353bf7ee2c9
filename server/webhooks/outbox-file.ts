/**
 * `outbox.jsonl`: the outbox on disk. Lines are appended and synced a few times a second, not for
 * each request. Messages that a crash kept from being written are made again from the command log;
 * deliveries that were not recorded are repeated.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { isCheckedLine, textOf } from '../../engine/index.ts'
import { checkedLine, linesOfFile } from '../files/checked-line.ts'
import { replaceFile } from '../files/replace-file.ts'
import { type Outbox, type OutboxLine, OutboxState, outboxVersion } from './outbox.ts'

const writeEveryMs = 250
/** The file is rewritten without settled lines after it has grown by this much and doubled. */
const growthBytes = 1 << 20

/** Reads the outbox up to the first damaged line; empty if there is none. Only reads the file. */
export function readOutbox(path: string): OutboxState {
  const state = new OutboxState()
  if (!existsSync(path)) return state
  for (const line of linesOfFile(path)) {
    // Later messages are made again, from the last recorded position in the command log.
    if (!line.isWhole || !isCheckedLine(line, crc32)) return state
    const parsedLine: OutboxLine = JSON.parse(textOf(line))
    if (
      line.number === 1 &&
      (parsedLine.line !== 'outbox' || parsedLine.version !== outboxVersion)
    ) {
      throw new Error(`${path} is not an outbox of version ${outboxVersion}`)
    }
    state.apply(parsedLine)
  }
  return state
}

/** Writes an outbox to a folder on which no server runs. */
export async function writeOutbox(path: string, state: OutboxState): Promise<void> {
  await replaceFile(path, Array.from(state.lines(), checkedLine))
}

export class OutboxFile implements Outbox {
  readonly state: OutboxState
  readonly #path: string
  readonly #onFault: (error: unknown) => void
  #pending: string[] = []
  /** The last processed position in the command log that is on disk or pending. */
  #writtenThrough: number
  #writing: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #bytes = 0
  #rewriteAtBytes = 0
  #isClosed = false

  private constructor(path: string, state: OutboxState, onFault: (error: unknown) => void) {
    this.#path = path
    this.state = state
    this.#writtenThrough = state.through
    this.#onFault = onFault
  }

  /** Reads the outbox and rewrites it without settled lines. */
  static async open(path: string, onFault: (error: unknown) => void): Promise<OutboxFile> {
    const state = readOutbox(path)
    if (state.origin === '') state.origin = randomBytes(6).toString('hex')
    const file = new OutboxFile(path, state, onFault)
    await file.#rewrite()
    return file
  }

  /** Applies a line to the state at once, and writes it soon. */
  add(line: OutboxLine): void {
    this.state.apply(line)
    this.#pending.push(checkedLine(line))
    this.#writeSoon()
  }

  /** Records that the command log is processed up to here; written after the pending lines. */
  reach(sequence: number): void {
    this.state.apply({ line: 'through', sequence })
    this.#writeSoon()
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.#write(), writeEveryMs).unref()
  }

  /** Writes the pending lines now. Resolves when they are on disk. */
  async flush(): Promise<void> {
    await this.#write()
  }

  /** Writes the pending lines. Nothing may be added afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#write()
  }

  /** Writes nothing more: another server may be writing the file. A start makes up for it. */
  abandon(): void {
    this.#isClosed = true
    this.#pending = []
    this.#writtenThrough = this.state.through
    if (this.#timer) clearTimeout(this.#timer)
  }

  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#writing
    this.#writing = this.#writePending().catch((error: unknown) => {
      // The end of the file is unknown now, so the next write replaces the file.
      this.#rewriteAtBytes = -1
      this.#onFault(error)
    })
    await this.#writing
    this.#writing = null
    this.#timer = null
    const isBehind = this.#pending.length > 0 || this.state.through > this.#writtenThrough
    if (isBehind && !this.#isClosed) this.#writeSoon()
  }

  async #writePending(): Promise<void> {
    const { through } = this.state
    if (through > this.#writtenThrough) {
      this.#pending.push(checkedLine({ line: 'through', sequence: through } satisfies OutboxLine))
    }
    if (this.#pending.length === 0) return
    this.#writtenThrough = through
    if (this.#bytes > this.#rewriteAtBytes) {
      await this.#rewrite()
      return
    }
    const text = this.#pending.join('')
    this.#pending = []
    const file = await open(this.#path, 'a')
    try {
      await append(file, text)
    } finally {
      await file.close()
    }
    this.#bytes += Buffer.byteLength(text)
  }

  /** Replaces the file. The pending lines are already part of the state. */
  async #rewrite(): Promise<void> {
    this.#pending = []
    this.#writtenThrough = this.state.through
    const lines = Array.from(this.state.lines(), checkedLine)
    await replaceFile(this.#path, lines)
    this.#bytes = lines.reduce((sum, line) => sum + line.length, 0)
    this.#rewriteAtBytes = Math.max(2 * this.#bytes, this.#bytes + growthBytes)
  }
}

async function append(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text)
  await file.datasync()
}
