/** The last segment of the command log as a file that only ever grows. */

import { close, fdatasync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { segmentFile, type DataFolder } from './data-folder.ts'
import { ownerOnly, syncFolder } from './replace-file.ts'
import { headerLine } from './segment.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)
const writeBytes = promisify<number, Buffer, number, number, null, number>(write)

export type SegmentEnd = {
  readonly segment: number
  /** How long its file is. */
  readonly bytes: number
  /** The sequence of the last entry in it, or before it. */
  readonly sequence: number
}

/** What is written at once: all short lines of a commit together, a long line in parts. */
const partBytes = 1 << 20

export class SegmentFile {
  readonly #file: number
  #end: SegmentEnd

  private constructor(file: number, end: SegmentEnd) {
    this.#file = file
    this.#end = end
  }

  /** Begins a segment: its file, its header and its name are on disk when this settles. */
  static async begin(folder: DataFolder, segment: number, after: number): Promise<SegmentFile> {
    const path = segmentFile(folder, segment)
    const begun = new SegmentFile(await openFile(path, 'a', ownerOnly), {
      segment,
      bytes: 0,
      sequence: after,
    })
    await begun.write([[headerLine(segment, after)]], after)
    await syncFolder(folder.log)
    return begun
  }

  /** Goes on where a segment ends. */
  static async reopen(folder: DataFolder, end: SegmentEnd): Promise<SegmentFile> {
    return new SegmentFile(await openFile(segmentFile(folder, end.segment), 'a', ownerOnly), end)
  }

  get end(): SegmentEnd {
    return this.#end
  }

  /** Appends whole lines, up to the entry of that sequence; they are on disk when this settles. */
  async write(lines: Iterable<Iterable<Buffer>>, sequence: number): Promise<void> {
    let { bytes } = this.#end
    for (const part of inParts(lines)) {
      let written = 0
      while (written < part.length) {
        written += await writeBytes(this.#file, part, written, part.length - written, null)
      }
      bytes += part.length
    }
    await syncData(this.#file)
    const { segment } = this.#end
    this.#end = { segment, bytes, sequence }
  }

  close(): Promise<void> {
    return closeFile(this.#file)
  }
}

function* inParts(lines: Iterable<Iterable<Buffer>>): Generator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for (const line of lines) {
    for (const piece of line) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes < partBytes) continue
      yield Buffer.concat(pieces)
      pieces = []
      bytes = 0
    }
  }
  yield Buffer.concat(pieces)
}
