/**
 * A segment of the command log: JSON Lines, each with its checksum. The first line is a header with
 * the number of the segment and of the entry before it. Every other line is one entry; there are no
 * gaps.
 */

import { crc32 } from 'node:zlib'
import {
  formatVersion,
  logFormat,
  readSegment,
  readSegmentHeader,
  type LogEntry,
  type LogHeader,
  type ReadUpTo,
  type SegmentStart,
} from '../../engine/index.ts'
import { checkedBytes, checkedPieces, linesOfFile } from '../files/checked-line.ts'
import { readingFile } from './damaged-data.ts'
import { isLongList, piecesWithTargets } from './pieces.ts'

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
