/** The last segment of the command log, as a file that is only appended to. */

import { close, fdatasync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { segmentFile, type DataFolder } from './data-folder.ts'
import { ownerOnly, syncFolder } from '../files/replace-file.ts'
import { timedSync } from '../files/sync-time.ts'
import { headerLine } from './segment.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)
const writeBytes = promisify<number, Buffer, number, number, null, number>(write)

export type SegmentEnd = {
  readonly segment: number
  /** The length of its file. */
  readonly bytes: number
  /** The sequence of the last entry in the segment, or of the entry before an empty segment. */
  readonly sequence: number
}

/** The size of one write: short lines of a commit are joined, long lines are split. */
const partBytes = 1 << 20

export class SegmentFile {
  readonly #file: number
  #end: SegmentEnd

  private constructor(file: number, end: SegmentEnd) {
    this.#file = file
    this.#end = end
  }

  /** Begins a segment. Its file, header and name are on disk when this settles. */
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

  /** Continues a segment at its end. */
  static async reopen(folder: DataFolder, end: SegmentEnd): Promise<SegmentFile> {
    return new SegmentFile(await openFile(segmentFile(folder, end.segment), 'a', ownerOnly), end)
  }

  get end(): SegmentEnd {
    return this.#end
  }

  /** Appends whole lines; the last one is entry `sequence`. They are on disk when this settles. */
  async write(lines: Iterable<Iterable<Buffer>>, sequence: number): Promise<void> {
    let { bytes } = this.#end
    for (const part of inParts(lines)) {
      let written = 0
      while (written < part.length) {
        written += await writeBytes(this.#file, part, written, part.length - written, null)
      }
      bytes += part.length
    }
    await timedSync(() => syncData(this.#file))
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
