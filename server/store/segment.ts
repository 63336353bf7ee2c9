/**
 * A segment of the command log: JSON Lines, each with its checksum. The first line is a header with
 * the number of the segment and of the entry before it. Every other line is one entry; there are no
 * gaps.
 */

import { crc32 } from 'node:zlib'
import { close, fdatasync, fstatSync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import {
  formatVersion,
  logFormat,
  readSegment,
  readSegmentHeader,
  type LogEntry,
  type LogHeader,
  type ReadUpTo,
  type SegmentStart,
  type RecordedEnd,
  linkSegments,
  missingSegment,
  type LinkedSegment,
  DamagedRecording,
  NewerRecording,
  type TargetsLine,
} from '../../engine/index.ts'
import { checkedBytes, checkedPieces, linesOfFile } from '../files/checked-line.ts'
import { isErrno, ownerOnly, syncFolder, timedSync, writeFault } from '../files/replace-file.ts'
import { type DataFolder, FolderTaken, segmentFile, segmentsIn } from './data-folder.ts'

const format = { log: logFormat, version: formatVersion } as const

/** What a server writes into the header of a segment. */
export type NewHeader = Required<Omit<LogHeader, 'log' | 'version' | 'isRestored'>> &
  Pick<LogHeader, 'isRestored'>

export function headerLine(header: NewHeader): Buffer {
  return checkedBytes({ ...format, ...header } satisfies LogHeader)
}

/** Reads the header of a segment; null if it is incomplete. Throws `DamagedData`. */
export function readHeaderOf(path: string, segment: number): LogHeader | null {
  return readingFile(path, () => readSegmentHeader(linesOfFile(path), segment, crc32))
}

/** The line of an entry, in pieces that are made lazily: read them before the entry changes. */
export function entryLine(entry: LogEntry): Iterable<Buffer> {
  const { sequence, at, queue, command, by, proof } = entry
  const more = { ...(by && { by }), ...(proof === undefined ? {} : { proof }) }
  if (command.type !== 'setImpactedTargets' || !isLongList(command.targets)) {
    return [checkedBytes({ sequence, at, queue, command, ...more })]
  }
  const pieces = piecesWithTargets(command.targets, (targets) => {
    return { sequence, at, queue, command: { ...command, targets }, ...more }
  })
  return checkedPieces(pieces)
}

/**
 * Reads a whole segment and calls `take` for each entry. Throws `DamagedData`, also if `take` throws.
 */
export function readSegmentFile(
  path: string,
  start: SegmentStart,
  take: (entry: LogEntry, header: LogHeader) => void,
): ReadUpTo {
  return readingFile(path, () => readSegment(linesOfFile(path), start, crc32, take))
}

// The last segment of the command log, as a file that is only appended to. It is created by its
// writer alone, so no two servers ever begin the same segment.

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
      throw writeFault(this.#path, error)
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

// The segments of the log in a data folder, in order and without a gap, each with its end.

/** The segments from `first` on. Throws `DamagedData` if one is missing. */
export function linkedSegments(folder: DataFolder, first: number): LinkedSegment[] {
  const segments = segmentsIn(folder).filter((segment) => segment >= first)
  const missing = missingSegment(first, segments)
  if (missing !== null) throw missingIn(folder, missing)
  return linkSegments(segments, (segment) => readHeaderOf(segmentFile(folder, segment), segment))
}

export function missingIn(folder: DataFolder, segment: number): DamagedData {
  const nothing = { line: null, expected: 'a segment', actual: 'no file' }
  return new DamagedData(segmentFile(folder, segment), nothing)
}

// A file of the data folder is damaged: its content is not what was written. Stops the start.

type Damage = Pick<DamagedRecording, 'line' | 'expected' | 'actual'>

export class DamagedData extends Error {
  override readonly name = 'DamagedData'

  constructor(file: string, { line, expected, actual }: Damage) {
    const location = line === null ? file : `${file}, line ${line}`
    super(
      `${location}: expected ${expected}, got ${actual}. Nothing was changed. ` +
        'Restore the file from a backup, or move the data folder away to start empty',
    )
  }
}

/** A newer version wrote the file. Stops the start. */
export class NewerData extends Error {
  override readonly name = 'NewerData'

  constructor(file: string, { expected, actual }: Damage) {
    super(
      `${file}: expected ${expected}, got ${actual}. Nothing was changed. ` +
        'Start that newer version, or restore a backup from before the upgrade',
    )
  }
}

/** Returns what `read` returns. Throws `DamagedData` for this file if it finds damage. */
export function readingFile<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof NewerRecording) throw new NewerData(file, error)
    if (error instanceof DamagedRecording) throw new DamagedData(file, error)
    throw error
  }
}

// Writes JSON in pieces. A list of targets can be as large as a request body. As one text it would
// be in memory a second time, and as bytes a third time.

type ImpactedTargets = TargetsLine['targets']

/** The number of targets in one piece of text. */
const targetsPerPiece = 4096

/** True if the list is long enough to be written in pieces. */
export function isLongList(targets: ImpactedTargets): targets is readonly string[] {
  return targets !== 'ALL' && targets.length > targetsPerPiece
}

const emptyList = '"targets":[]'

/** Returns the JSON of `whole(targets)`, an object with the list in its field `targets`. */
export function* piecesWithTargets(
  targets: readonly string[],
  whole: (targets: readonly string[]) => object,
): Generator<string> {
  const text = JSON.stringify(whole([]))
  // This text cannot occur inside a JSON string, because quotes are escaped there.
  const at = text.indexOf(emptyList) + emptyList.length - 1
  yield text.slice(0, at)
  for (let from = 0; from < targets.length; from += targetsPerPiece) {
    const piece = JSON.stringify(targets.slice(from, from + targetsPerPiece)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield text.slice(at)
}
