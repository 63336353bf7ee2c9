/**
 * Reads one segment of a command log. It compares every line with its checksum. It compares the
 * header and the sequence of the entries to ensure that the segment is the expected one without
 * gaps.
 */

import { isCheckedLine, type Crc32 } from './checked-line.ts'
import type { LogEntry } from './commands.ts'
import { DamagedRecording, orDamaged } from './damage.ts'
import { formatVersion, logFormat, type LogHeader } from './format.ts'
import type { Line } from './lines.ts'
import { jsonWithTargets } from './long-list.ts'

export type SegmentStart = {
  readonly segment: number
  /** The expected sequence of the last entry before it; null to accept that of its header. */
  readonly after: number | null
  /** Only the last segment may end with an incomplete line, from a crash during writing. */
  readonly isLast: boolean
}

export type ReadUpTo = {
  /** The length of its complete lines in bytes. */
  readonly bytes: number
  /** The length of the incomplete line that follows, in bytes. */
  readonly tornBytes: number
  /**
   * The sequence of the last entry in it or before it; null if it has no header and none was given.
   */
  readonly sequence: number | null
}

/**
 * Reads the lines of a segment and passes each entry to `take`. Skips an incomplete last line of the
 * last segment. Throws `DamagedRecording` if the segment is damaged, or if `take` throws.
 */
export function readSegment(
  lines: Iterable<Line>,
  start: SegmentStart,
  crc32: Crc32,
  take: (entry: LogEntry) => void,
): ReadUpTo {
  let sequence = start.after
  let bytes = 0
  for (const line of lines) {
    const { number, isWhole, length } = line
    if (!isWhole && start.isLast) return { bytes, tornBytes: length, sequence }
    const value = checkedValue(line, crc32)
    if (number === 1) sequence = sequenceBefore(value, start)
    else {
      const next: number = (sequence ?? 0) + 1
      if (value.sequence !== next) {
        throw new DamagedRecording(number, `entry ${next}`, `entry ${value.sequence}`)
      }
      orDamaged(number, 'an entry that fits those before it', () => take(value))
      sequence = next
    }
    bytes = line.offset + length + 1
  }
  if (bytes === 0 && !start.isLast) throw new DamagedRecording(null, logOf(start), 'an empty file')
  return { bytes, tornBytes: 0, sequence }
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

/** The sequence of the last entry before the segment, from its header. */
function sequenceBefore(header: Partial<LogHeader>, start: SegmentStart): number {
  const { log, version, segment, after } = header
  const isKnown = log === logFormat && version === formatVersion && segment === start.segment
  if (isKnown && after !== undefined && after === (start.after ?? after)) return after
  throw new DamagedRecording(1, logOf(start), JSON.stringify({ log, version, segment, after }))
}

function logOf({ segment, after }: SegmentStart): string {
  const what = `segment ${segment} of a ${logFormat} of version ${formatVersion}`
  return after === null ? what : `${what} after entry ${after}`
}
