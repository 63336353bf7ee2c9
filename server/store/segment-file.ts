/**
 * The last segment of the command log, as a file that is only appended to. It is created by its
 * writer alone, so no two servers ever begin the same segment.
 */

import { close, fdatasync, fstatSync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { RecordedEnd } from '../../engine/index.ts'
import { isErrno, ownerOnly, syncFolder } from '../files/replace-file.ts'
import { timedSync } from '../files/sync-time.ts'
import { type DataFolder, FolderTaken, segmentFile } from './data-folder.ts'
import { type NewHeader, headerLine } from './segment.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)
const writeBytes = promisify(write)

export type SegmentEnd = RecordedEnd & {
  /** The sequence of the last entry in the segment, or of the entry before an empty segment. */
  readonly sequence: number
}

/** The size of one write: short lines of a commit are joined, long lines are split. */
const partBytes = 1 << 20

export class SegmentFile {
  readonly header: NewHeader
  readonly #file: number
  readonly #path: string
  #end: SegmentEnd

  private constructor(file: number, path: string, header: NewHeader) {
    this.#file = file
    this.#path = path
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
      throw isErrno(error, 'EEXIST')
        ? new FolderTaken(folder.path, `${path} exists already`)
        : error
    })
    const begun = new SegmentFile(file, path, header)
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
    try {
      for (const part of inParts(lines)) {
        await this.#writeWhole(part)
        bytes += part.length
        crc = crc32(part, crc)
      }
      await timedSync(() => syncData(this.#file))
    } catch (error) {
      throw isFull(error) ? new DiskFull(this.#path, error) : error
    }
    const { segment } = this.#end
    this.#end = { segment, bytes, crc, sequence }
  }

  /** The system writes only a part of what no longer fits on the disk; the next write then fails. */
  async #writeWhole(part: Buffer): Promise<void> {
    for (let written = 0; written < part.length;) {
      const { bytesWritten } = await writeBytes(this.#file, part, written)
      written += bytesWritten
    }
  }

  /** The length of the file; longer than `end` if someone else appended to it. */
  size(): number {
    return fstatSync(this.#file).size
  }

  close(): Promise<void> {
    return closeFile(this.#file)
  }
}

/** No room is left for the command log. What was acknowledged is on disk; nothing more will be. */
class DiskFull extends Error {
  override readonly name = 'DiskFull'

  constructor(path: string, cause: unknown) {
    const advice = 'make room and start the server again; everything it acknowledged is kept'
    super(`${advice}. The disk of ${path} is full`, { cause })
  }
}

function isFull(error: unknown): boolean {
  return isErrno(error, 'ENOSPC') || isErrno(error, 'EDQUOT')
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
