/** Compares the end of the log that a start has read with the end that was acknowledged. */

import { statSync } from 'node:fs'
import type { Logger } from 'pino'
import { DamagedData } from './damaged-data.ts'
import { segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'
import { readHeaderOf } from './segment.ts'
import { readEndMarker, type MarkedEnd } from './end-marker.ts'
import type { LogEnd, Recovered } from './recover.ts'

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
