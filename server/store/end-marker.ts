/**
 * `log/end`: where the acknowledged log ends. A start compares it with the segments, so it notices
 * a last segment that was emptied, cut or removed.
 *
 * It is written in place after each commit and never synced by itself, so that it costs little. So
 * after a power loss it can be behind the log, but never ahead of it.
 */

import { close, existsSync, open, readFileSync, writeSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { Logger } from 'pino'
import { isCheckedLine, textOf } from '../../engine/index.ts'
import { checkedLine, linesOfFile } from '../files/checked-line.ts'
import { replaceFile } from '../files/replace-file.ts'
import { type DataFolder, segmentFile, segmentsIn } from './data-folder.ts'
import { type SegmentEnd, DamagedData, readHeaderOf } from './segment.ts'
import type { LogEnd, Recovered } from './recover.ts'

const openFile = promisify(open)
const closeFile = promisify(close)

export type MarkedEnd = Pick<SegmentEnd, 'segment' | 'bytes' | 'sequence'>

/** The number of digits, so that every marker has the same length. */
const digits = 16

export function markerLine({ segment, bytes, sequence }: MarkedEnd): string {
  const fixed = (value: number): string => String(value).padStart(digits, '0')
  return checkedLine({
    segment: fixed(segment),
    bytes: fixed(bytes),
    sequence: fixed(sequence),
  })
}

/** Returns the marker; null if there is none, or a power loss left it incomplete. Only reads. */
export function readEndMarker({ end }: DataFolder): MarkedEnd | null {
  if (!existsSync(end)) return null
  for (const line of linesOfFile(end)) {
    if (!line.isWhole || !isCheckedLine(line, crc32)) return null
    const { segment, bytes, sequence }: Record<keyof MarkedEnd, string> = JSON.parse(textOf(line))
    return { segment: Number(segment), bytes: Number(bytes), sequence: Number(sequence) }
  }
  return null
}

/** What is wrong with the marker, down to the last byte; null if nothing is, or there is none. */
export function endMarkerFault({ end }: DataFolder): string | null {
  // A running server may write it while it is read.
  const looks = [1, 2, 3]
  if (!existsSync(end) || looks.some(() => isWholeMarker(readFileSync(end, 'latin1')))) return null
  return `${end}: expected the line that marks the end of the log, got a damaged one; the next start writes it again`
}

function isWholeMarker(text: string): boolean {
  const fields = [...text.matchAll(/"(\d{16})"/g)].map(([, written]) => Number(written))
  const [segment = 0, bytes = 0, sequence = 0] = fields
  return markerLine({ segment, bytes, sequence }) === text
}

export class EndMarker {
  readonly #file: number

  private constructor(file: number) {
    this.#file = file
  }

  /** Creates the marker for this end, on disk when this settles. */
  static async create({ end: path }: DataFolder, end: MarkedEnd): Promise<EndMarker> {
    await replaceFile(path, [markerLine(end)])
    return new EndMarker(await openFile(path, 'r+'))
  }

  /** Call it only when everything up to `end` is on disk. */
  move(end: MarkedEnd): void {
    const line = Buffer.from(markerLine(end))
    writeSync(this.#file, line, 0, line.length, 0)
  }

  close(): Promise<void> {
    return closeFile(this.#file)
  }
}

// Compares the end of the log that a start has read with the end that was acknowledged.

/** Throws `DamagedData` if the log misses entries that were acknowledged. */
export function checkEnd(
  folder: DataFolder,
  { end }: Pick<Recovered, 'end'>,
  logger: Logger | null = null,
): void {
  const marked = readEndMarker(folder)
  if (!marked) {
    if (isMarkerExpected(folder)) {
      logger?.warn({ file: folder.end }, 'the end marker is missing or was cut by a power loss')
    }
    return
  }
  if (end && !isBefore(end, marked)) return
  const file = segmentFile(folder, marked.segment)
  const { sequence } = marked
  throw new DamagedData(file, {
    line: null,
    expected: `at least ${marked.bytes} bytes, up to entry ${sequence}, which was acknowledged`,
    actual: end ? `a log that ends in segment ${end.segment} at byte ${end.bytes}` : 'no log',
  })
}

/** True if the log ends before the place that was marked. */
function isBefore(end: LogEnd, marked: MarkedEnd): boolean {
  if (end.segment !== marked.segment) return end.segment < marked.segment
  return end.bytes < marked.bytes
}

/** A folder of version 1 has no marker, and a new one has no log. */
function isMarkerExpected(folder: DataFolder): boolean {
  const last = segmentsIn(folder).at(-1)
  if (last === undefined) return false
  return readHeaderOf(segmentFile(folder, last), last)?.epoch !== undefined
}

/** Tells what follows the end of the log: it was never acknowledged, and is not part of the log. */
export function warnOfRest(folder: DataFolder, { end }: Recovered, logger: Logger): void {
  if (!end) return
  const file = segmentFile(folder, end.segment)
  const { bytes, tornBytes, isForeign } = end
  if (tornBytes > 0) {
    logger.warn({ file, bytes, tornBytes }, 'ignored an incomplete last line, left by a crash')
  } else if (isForeign) {
    const rest = statSync(file).size - bytes
    logger.warn({ file, bytes, rest }, 'ignored lines of a second server, never acknowledged')
  }
}
