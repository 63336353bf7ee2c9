/**
 * A segment of the command log: JSON Lines, each with its checksum. The first says which segment
 * it is and which entry it follows; every other is one entry, in order and without a gap.
 */

import { formatVersion, logFormat, type LogHeader } from '../../engine/index.ts'
import type { Entry } from '../yard/commands.ts'
import { checkedBytes, checkedPieces, isCheckedLine } from './checked-line.ts'
import { DamagedData, orDamaged, type Damaged } from './damaged-data.ts'
import { linesOfFile, type FileLine } from './lines-of-file.ts'
import { isLongList, jsonWithTargets, piecesWithTargets } from './pieces.ts'

const format = { log: logFormat, version: formatVersion } as const

export function headerLine(segment: number, after: number): Buffer {
  return checkedBytes({ ...format, segment, after } satisfies LogHeader)
}

/** In pieces, each made when it is asked for: what is in the entry must stay as it is until then. */
export function entryLine({ sequence, at, queue, command }: Entry): Iterable<Buffer> {
  if (command.type !== 'setImpactedTargets' || !isLongList(command.targets)) {
    return [checkedBytes({ sequence, at, queue, command })]
  }
  const pieces = piecesWithTargets(command.targets, (targets) => {
    return { sequence, at, queue, command: { ...command, targets } }
  })
  return checkedPieces(pieces)
}

/** Where the whole lines of a segment end, and how much of a torn one follows. */
export type ReadUpTo = {
  readonly bytes: number
  readonly tornBytes: number
  /** The sequence of the last entry in it, or before it. */
  readonly sequence: number
}

export type SegmentPlace = {
  readonly path: string
  readonly segment: number
  /** The sequence of the entry before its first. */
  readonly after: number
  /** Only the last one may end in a torn line: the crash came while it was written. */
  readonly isLast: boolean
}

/**
 * Reads a segment from its beginning to its end. `take` throws where an entry cannot be as it is.
 * Throws `DamagedData`, and changes nothing.
 */
export function readSegment(place: SegmentPlace, take: (entry: Entry) => void): ReadUpTo {
  const { path, isLast } = place
  let after = place.after
  let bytes = 0
  for (const line of linesOfFile(path)) {
    const damaged: Damaged = (fault) => new DamagedData(path, line.number, fault)
    if (!line.isWhole) {
      if (isLast) return { bytes, tornBytes: line.length, sequence: after }
      throw damaged('the line has no end, and this is not the last segment')
    }
    if (line.number === 1) {
      checkHeader(parsed(line, damaged), place, damaged)
    } else {
      const entry = parsed(line, damaged)
      if (entry.sequence !== after + 1) {
        throw damaged(`entry ${after + 1} was expected, entry ${entry.sequence} came`)
      }
      orDamaged(damaged, () => take(entry))
      after++
    }
    bytes = line.offset + line.length + 1
  }
  if (bytes === 0 && !isLast) throw new DamagedData(path, null, 'the file is empty')
  return { bytes, tornBytes: 0, sequence: after }
}

function parsed(line: FileLine, damaged: Damaged): Entry & Partial<LogHeader> {
  if (!isCheckedLine(line)) throw damaged('a line that fits its checksum was expected')
  const { text, revive } = jsonWithTargets(line)
  const value: Entry & Partial<LogHeader> = JSON.parse(text, revive)
  return value
}

function checkHeader(
  header: Partial<LogHeader>,
  { segment, after }: SegmentPlace,
  damaged: Damaged,
): void {
  const expected: LogHeader = { ...format, segment, after }
  const same =
    header.log === expected.log &&
    header.version === expected.version &&
    header.segment === segment &&
    header.after === after
  if (same) return
  throw damaged(`${JSON.stringify(expected)} was expected, ${JSON.stringify({ ...header })} came`)
}
