/** Reads a snapshot record by record and compares it with its checksum. */

import { type Crc32, isAt, textOf, type Line, jsonWithTargets, type Json } from './lines.ts'
import {
  DamagedRecording,
  NewerRecording,
  orDamaged,
  formatVersion,
  readVersions,
  snapshotFormat,
  snapshotTail,
  type SnapshotHeader,
} from './format.ts'

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
    if (number === 1) header = headerIn(line)
    else orDamaged(number, 'a record that fits those before it', () => take(recordIn(line)))
  }
  if (header && isComplete) return header
  throw new DamagedRecording(null, 'a whole snapshot', 'one that is cut short')
}

/** Reads only the first line of a snapshot. Throws `DamagedRecording` if it is not a header. */
export function readSnapshotHeader(lines: Iterable<Line>): SnapshotHeader {
  for (const line of lines) return headerIn(line)
  throw new DamagedRecording(null, expectedHeader, 'an empty file')
}

function headerIn(line: Line): SnapshotHeader {
  const header = orDamaged(1, expectedHeader, () => {
    const value: Partial<SnapshotHeader> = JSON.parse(`${textOf(line)}]}`)
    return value
  })
  const { snapshot, version, segment, sequence, at } = header
  if (snapshot === snapshotFormat && version !== undefined && version > formatVersion) {
    throw new NewerRecording(readVersions, version)
  }
  const isKnown = snapshot === snapshotFormat && version !== undefined
  if (
    isKnown &&
    readVersions.includes(version) &&
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
