/**
 * The last segment of the command log, as a file that is only appended to. It is created by its
 * writer alone, so no two servers ever begin the same segment.
 */

import { close, fdatasync, fstatSync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { RecordedEnd } from '../../engine/index.ts'
import { ownerOnly, syncFolder } from '../files/replace-file.ts'
import { segmentFile, type DataFolder } from './data-folder.ts'
import { FolderTaken } from './folder-taken.ts'
import { headerLine, type NewHeader } from './segment.ts'
import { timedSync } from '../files/sync-time.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)
const writeBytes = promisify<number, Buffer, number, number, null, number>(write)

export type SegmentEnd = RecordedEnd & {
  /** The sequence of the last entry in the segment, or of the entry before an empty segment. */
  readonly sequence: number
}

/** The size of one write: short lines of a commit are joined, long lines are split. */
const partBytes = 1 << 20

export class SegmentFile {
  readonly header: NewHeader
  readonly #file: number
  #end: SegmentEnd

  private constructor(file: number, header: NewHeader) {
    this.#file = file
    this.header = header
    this.#end = { segment: header.segment, bytes: 0, crc: 0, sequence: header.after }
  }

  /**
   * Begins a segment. Its file, header and name are on disk when this settles. Rejects with
   * `FolderTaken` if another server has begun it.
   */
  static async begin(folder: DataFolder, header: NewHeader): Promise<SegmentFile> {
    const path = segmentFile(folder, header.segment)
    const file = await openFile(path, 'ax', ownerOnly).catch((error: unknown) => {
      throw isTaken(error) ? new FolderTaken(folder.path, `${path} exists already`) : error
    })
    const begun = new SegmentFile(file, header)
    await begun.write([[headerLine(header)]], header.after)
    await syncFolder(folder.log)
    return begun
  }

  get end(): SegmentEnd {
    return this.#end
  }

  /** Appends whole lines; the last one is entry `sequence`. They are on disk when this settles. */
  async write(lines: Iterable<Iterable<Buffer>>, sequence: number): Promise<void> {
    let { bytes, crc } = this.#end
    for (const part of inParts(lines)) {
      let written = 0
      while (written < part.length) {
        written += await writeBytes(this.#file, part, written, part.length - written, null)
      }
      bytes += part.length
      crc = crc32(part, crc)
    }
    await timedSync(() => syncData(this.#file))
    const { segment } = this.#end
    this.#end = { segment, bytes, crc, sequence }
  }

  /** The length of the file; longer than `end` if someone else appended to it. */
  size(): number {
    return fstatSync(this.#file).size
  }

  close(): Promise<void> {
    return closeFile(this.#file)
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
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
