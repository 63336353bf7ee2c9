/**
 * Text that is written now and read later, of any length: in memory as long as it is short, in a
 * temporary file beyond that.
 */

import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Pieces of about this many bytes go to the file, and come back. */
const pieceBytes = 1_000_000

export class Spool {
  readonly #piecesInMemory: number
  readonly #pieces: Buffer[] = []
  /** Holds what came before the pieces; null until there is too much for memory. */
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

  /** Everything that was added, in order. */
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

/** A file without a name: it goes away with the process, however that ends. */
function openScratchFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  const file = openSync(join(folder, 'spool'), 'wx+', 0o600)
  rmSync(folder, { recursive: true })
  return file
}
