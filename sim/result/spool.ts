/**
 * Stores text of any length that is read later. Short text stays in memory; longer text goes to a
 * temporary file.
 */

import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The approximate size of the pieces that are written to the file and read back. */
const pieceBytes = 1_000_000

export class Spool {
  readonly #piecesInMemory: number
  readonly #pieces: Buffer[] = []
  /** Holds the text before the pieces; null until the text is too long for memory. */
  #file: number | null = null
  #fileBytes = 0
  #piece = ''

  constructor({ piecesInMemory = 64 }: { readonly piecesInMemory?: number } = {}) {
    this.#piecesInMemory = piecesInMemory
  }

  get isEmpty(): boolean {
    return this.#piece === '' && this.#pieces.length === 0 && this.#file === null
  }

  add(text: string): void {
    this.#piece += text
    if (this.#piece.length < pieceBytes) return
    this.#pieces.push(Buffer.from(this.#piece, 'utf8'))
    this.#piece = ''
    if (this.#pieces.length > this.#piecesInMemory) this.#moveToFile()
  }

  /** Yields all the text that was added, in order. May be called repeatedly. */
  *texts(): Generator<string> {
    const decoder = new TextDecoder()
    if (this.#file !== null) {
      const buffer = Buffer.alloc(pieceBytes)
      for (let from = 0; from < this.#fileBytes;) {
        const length = readSync(this.#file, buffer, 0, pieceBytes, from)
        from += length
        // A piece may end in the middle of a character.
        yield decoder.decode(buffer.subarray(0, length), { stream: true })
      }
    }
    for (const piece of this.#pieces) yield piece.toString('utf8')
    yield this.#piece
  }

  #moveToFile(): void {
    this.#file ??= openScratchFile()
    for (const piece of this.#pieces.splice(0)) {
      for (let from = 0; from < piece.length;) {
        from += writeSync(this.#file, piece, from, piece.length - from, this.#fileBytes + from)
      }
      this.#fileBytes += piece.length
    }
  }
}

/** Opens a file and removes its name, so that the file disappears with the process. */
function openScratchFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  const file = openSync(join(folder, 'spool'), 'wx+', 0o600)
  rmSync(folder, { recursive: true })
  return file
}
