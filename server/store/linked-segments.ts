/** The segments of the log in a data folder, in order and without a gap, each with its end. */

import { linkSegments, missingSegment, type LinkedSegment } from '../../engine/index.ts'
import { DamagedData } from './damaged-data.ts'
import { segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'
import { readHeaderOf } from './segment.ts'

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
