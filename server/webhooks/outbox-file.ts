/**
 * `outbox.jsonl`: the outbox on disk. Lines are appended and synced a few times a second, not for
 * each request: what a crash keeps from being written is made again out of the command log, or
 * sent a second time.
 */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { checkedLine, isCheckedLine } from '../store/checked-line.ts'
import { textOf, linesOfFile } from '../store/lines-of-file.ts'
import { replaceFile } from '../store/replace-file.ts'
import { OutboxState, outboxVersion, type OutboxLine } from './outbox-state.ts'

const writeEveryMs = 250
/** Rewritten without what is settled once it has grown by this much, and to twice its size. */
const growthBytes = 1 << 20

/** The outbox as far as its lines are whole; empty where there is none. Changes nothing. */
export function readOutbox(path: string): OutboxState {
  const state = new OutboxState()
  if (!existsSync(path)) return state
  for (const line of linesOfFile(path)) {
    // What came after is made again, from the last place in the command log that stands before.
    if (!line.isWhole || !isCheckedLine(line)) return state
    const said: OutboxLine = JSON.parse(textOf(line))
    if (line.number === 1 && (said.line !== 'outbox' || said.version !== outboxVersion)) {
      throw new Error(`${path} is not an outbox of version ${outboxVersion}`)
    }
    state.apply(said)
  }
  return state
}

export class OutboxFile {
  readonly state: OutboxState
  readonly #path: string
  readonly #onFault: (error: unknown) => void
  #waiting: string[] = []
  /** Up to where the command log has been looked at, as far as that is on disk or waits. */
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

  /** Reads what is there, and writes it anew without what is settled. */
  static async open(path: string, onFault: (error: unknown) => void): Promise<OutboxFile> {
    const state = readOutbox(path)
    if (state.origin === '') state.origin = randomBytes(6).toString('hex')
    const file = new OutboxFile(path, state, onFault)
    await file.#rewrite()
    return file
  }

  /** Makes a line true now, and on disk soon. */
  add(line: OutboxLine): void {
    this.state.apply(line)
    this.#waiting.push(checkedLine(line))
    this.#writeSoon()
  }

  /** The command log has been looked at up to here: behind the lines so far, that is written once. */
  reach(sequence: number): void {
    this.state.apply({ line: 'through', sequence })
    this.#writeSoon()
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.#write(), writeEveryMs).unref()
  }

  /** Writes what waits. Nothing may be added afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#write()
  }

  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#writing
    this.#writing = this.#writeWaiting().catch((error: unknown) => {
      // What the file ends in is not known now: the next time it is written anew.
      this.#rewriteAtBytes = -1
      this.#onFault(error)
    })
    await this.#writing
    this.#writing = null
    this.#timer = null
    const isBehind = this.#waiting.length > 0 || this.state.through > this.#writtenThrough
    if (isBehind && !this.#isClosed) this.#writeSoon()
  }

  async #writeWaiting(): Promise<void> {
    const { through } = this.state
    if (through > this.#writtenThrough) {
      this.#waiting.push(checkedLine({ line: 'through', sequence: through } satisfies OutboxLine))
    }
    if (this.#waiting.length === 0) return
    this.#writtenThrough = through
    if (this.#bytes > this.#rewriteAtBytes) {
      await this.#rewrite()
      return
    }
    const text = this.#waiting.join('')
    this.#waiting = []
    const file = await open(this.#path, 'a')
    try {
      await append(file, text)
    } finally {
      await file.close()
    }
    this.#bytes += Buffer.byteLength(text)
  }

  /** What waits is in the state already. */
  async #rewrite(): Promise<void> {
    this.#waiting = []
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
