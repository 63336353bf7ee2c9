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
  type LogEntry,
  type LogHeader,
  type ReadUpTo,
  type SegmentStart,
} from '../../engine/index.ts'
import { checkedBytes, checkedPieces } from '../files/checked-line.ts'
import { linesOfFile } from '../files/lines-of-file.ts'
import { readingFile } from './damaged-data.ts'
import { isLongList, piecesWithTargets } from './pieces.ts'

const format = { log: logFormat, version: formatVersion } as const

export function headerLine(segment: number, after: number): Buffer {
  return checkedBytes({ ...format, segment, after } satisfies LogHeader)
}

/** The line of an entry, in pieces that are made lazily: read them before the entry changes. */
export function entryLine({ sequence, at, queue, command, by }: LogEntry): Iterable<Buffer> {
  const actor = by === undefined ? {} : { by }
  if (command.type !== 'setImpactedTargets' || !isLongList(command.targets)) {
    return [checkedBytes({ sequence, at, queue, command, ...actor })]
  }
  const pieces = piecesWithTargets(command.targets, (targets) => {
    return { sequence, at, queue, command: { ...command, targets }, ...actor }
  })
  return checkedPieces(pieces)
}

/**
 * Reads a whole segment and calls `take` for each entry. Throws `DamagedData`, also if `take` throws.
 */
export function readSegmentFile(
  path: string,
  start: SegmentStart,
  take: (entry: LogEntry) => void,
): ReadUpTo {
  return readingFile(path, () => readSegment(linesOfFile(path), start, crc32, take))
}
