/**
 * Reads one segment of a command log. It compares every line with its checksum. It compares the
 * header and the sequence of the entries to ensure that the segment is the expected one without
 * gaps.
 */

import {
  isCheckedLine,
  type Crc32,
  type Line,
  jsonWithTargets,
  isAt,
  textOf,
  type Json,
} from './lines.ts'
import type { LogEntry } from './commands.ts'
import {
  DamagedRecording,
  NewerRecording,
  orDamaged,
  formatVersion,
  logFormat,
  readVersions,
  type LogHeader,
  type RecordedEnd,
  snapshotFormat,
  snapshotTail,
  type SnapshotHeader,
} from './format.ts'

export type SegmentStart = {
  readonly segment: number
  /** The expected sequence of the last entry before it; null to accept that of its header. */
  readonly after: number | null
  /** Only the last segment may end with an incomplete line, from a crash during writing. */
  readonly isLast: boolean
  /** Its end as the next segment records it; what follows is not read. */
  readonly end?: Pick<RecordedEnd, 'bytes' | 'crc'> | null
}

export type ReadUpTo = {
  /** The length of its complete lines in bytes. */
  readonly bytes: number
  /** The CRC-32 of these bytes. */
  readonly crc: number
  /** The length of the incomplete line that follows, in bytes. */
  readonly tornBytes: number
  /**
   * The sequence of the last entry in it or before it; null if it has no header and none was given.
   */
  readonly sequence: number | null
  /** The reading ended at an entry that another writer appended. */
  readonly isForeign: boolean
}

const lineEnd = new Uint8Array([0x0a])

/**
 * Reads the lines of a segment and passes each entry to `take`. Skips an incomplete last line of the
 * last segment. Throws `DamagedRecording` if the segment is damaged, or if `take` throws.
 */
export function readSegment(
  lines: Iterable<Line>,
  start: SegmentStart,
  crc32: Crc32,
  take: (entry: LogEntry, header: LogHeader) => void,
): ReadUpTo {
  let header: LogHeader | null = null
  let sequence = start.after
  let [bytes, crc, tornBytes] = [0, 0, 0]
  let isForeign = false
  for (const line of lines) {
    const { number, isWhole, length, offset } = line
    if (start.end && offset >= start.end.bytes) break
    if (!isWhole && start.isLast) {
      tornBytes = length
      break
    }
    const value = checkedValue(line, crc32)
    if (header === null) {
      header = segmentHeaderIn(value, start)
      sequence = header.after
    } else {
      const next: number = (sequence ?? 0) + 1
      // Two writers of one segment count the same numbers. Nothing after it was acknowledged.
      isForeign = start.isLast && value.sequence < next
      if (isForeign) break
      if (value.sequence !== next) {
        throw new DamagedRecording(number, `entry ${next}`, `entry ${value.sequence}`)
      }
      const begun = header
      orDamaged(number, 'an entry that fits those before it', () => take(value, begun))
      sequence = next
    }
    for (const piece of line.pieces) crc = crc32(piece, crc)
    crc = crc32(lineEnd, crc)
    bytes = offset + length + 1
  }
  checkEnd(start, { bytes, crc })
  return { bytes, crc, tornBytes, sequence, isForeign }
}

/**
 * Reads only the header of a segment; null if it is incomplete. Throws `DamagedRecording`.
 */
export function readSegmentHeader(
  lines: Iterable<Line>,
  segment: number,
  crc32: Crc32,
): LogHeader | null {
  for (const line of lines) {
    if (!line.isWhole) return null
    return segmentHeaderIn(checkedValue(line, crc32), { segment, after: null, isLast: true })
  }
  return null
}

/** The segment ends exactly where the next one says. */
function checkEnd(start: SegmentStart, { bytes, crc }: Pick<RecordedEnd, 'bytes' | 'crc'>): void {
  const { end, isLast } = start
  if (!end) {
    if (bytes === 0 && !isLast) throw new DamagedRecording(null, logOf(start), 'an empty file')
    return
  }
  const shown = (of: Pick<RecordedEnd, 'bytes' | 'crc'>): string =>
    `${of.bytes} bytes with the CRC-32 ${of.crc.toString(16).padStart(8, '0')}`
  if (bytes === end.bytes && crc === end.crc) return
  throw new DamagedRecording(
    null,
    `${shown(end)}, as the next segment records`,
    shown({ bytes, crc }),
  )
}

function checkedValue(line: Line, crc32: Crc32): LogEntry & Partial<LogHeader> {
  const expected = 'a whole line that fits its checksum'
  if (!line.isWhole) throw new DamagedRecording(line.number, expected, 'one without an end')
  if (!isCheckedLine(line, crc32)) throw new DamagedRecording(line.number, expected, 'another')
  return orDamaged(line.number, 'JSON', () => {
    const { text, revive } = jsonWithTargets(line)
    const value: LogEntry & Partial<LogHeader> = JSON.parse(text, revive)
    return value
  })
}

/** Returns the header if it is that of the segment. */
function segmentHeaderIn(header: Partial<LogHeader>, start: SegmentStart): LogHeader {
  const { log, version, segment, after } = header
  const isExpected = segment === start.segment && after === (start.after ?? after)
  if (log === logFormat && isRead(version) && isExpected && after !== undefined) {
    return { ...header, log, version, segment, after }
  }
  throw new DamagedRecording(1, logOf(start), JSON.stringify({ log, version, segment, after }))
}

/** True if a file of this version can be read. Throws `NewerRecording` if only a later Mergeyard can. */
function isRead(version: number | undefined): version is number {
  if (version !== undefined && version > formatVersion) {
    throw new NewerRecording(readVersions, version)
  }
  return version !== undefined && readVersions.includes(version)
}

function logOf({ segment, after }: SegmentStart): string {
  const what = `segment ${segment} of a ${logFormat} of version ${readVersions.join(' or ')}`
  return after === null ? what : `${what} after entry ${after}`
}

// Reads a snapshot record by record and compares it with its checksum.

const tailLength = snapshotTail(0).length
const targetsOpening = '{"impactedTargets":'
const expectedHeader = `a ${snapshotFormat} of version ${readVersions.join(' or ')}`

/**
 * Reads the lines of a snapshot and passes the JSON of each record to `take`. The checksum is compared
 * only at the end, so the caller must be able to discard the records. Returns the header. Throws
 * `DamagedRecording` if the snapshot is damaged, or if `take` throws.
 */
export function readSnapshot(
  lines: Iterable<Line>,
  crc32: Crc32,
  take: (record: Json) => void,
): SnapshotHeader {
  let header: SnapshotHeader | null = null
  let crc = 0
  let isComplete = false
  for (const line of lines) {
    const { number, length, pieces } = line
    if (isComplete) throw new DamagedRecording(number, 'the end of the file', 'more')
    if (length === tailLength && startsWith(line, ']')) {
      const [text, tail] = [textOf(line), snapshotTail(crc)]
      if (text !== tail) throw new DamagedRecording(number, `the checksum ${tail}`, text)
      isComplete = true
      continue
    }
    for (const piece of pieces) crc = crc32(piece, crc)
    crc = crc32('\n', crc)
    if (number === 1) header = snapshotHeaderIn(line)
    else orDamaged(number, 'a record that fits those before it', () => take(recordIn(line)))
  }
  if (header && isComplete) return header
  throw new DamagedRecording(null, 'a whole snapshot', 'one that is cut short')
}

/** Reads only the first line of a snapshot. Throws `DamagedRecording` if it is not a header. */
export function readSnapshotHeader(lines: Iterable<Line>): SnapshotHeader {
  for (const line of lines) return snapshotHeaderIn(line)
  throw new DamagedRecording(null, expectedHeader, 'an empty file')
}

function snapshotHeaderIn(line: Line): SnapshotHeader {
  const header = orDamaged(1, expectedHeader, () => {
    const value: Partial<SnapshotHeader> = JSON.parse(`${textOf(line)}]}`)
    return value
  })
  const { snapshot, version, segment, sequence, at } = header
  if (
    snapshot === snapshotFormat &&
    isRead(version) &&
    segment !== undefined &&
    sequence !== undefined &&
    at !== undefined
  ) {
    return { snapshot, version, segment, sequence, at }
  }
  throw new DamagedRecording(1, expectedHeader, JSON.stringify({ snapshot, version }))
}

/** The record of a line, which may end with a comma. */
function recordIn(line: Line): Json {
  // The line of a queue has many lists of targets; a line of impacted targets has exactly one.
  const isTargets = startsWith(line, targetsOpening)
  const json = isTargets ? jsonWithTargets(line) : { text: textOf(line) }
  return { ...json, text: json.text.replace(/,$/, '') }
}

/** True if a line starts with this text, which is ASCII and shorter than a piece. */
function startsWith({ pieces }: Line, text: string): boolean {
  for (const piece of pieces) return isAt(piece, 0, text)
  return false
}
