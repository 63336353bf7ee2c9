/** Segments and ports of a command log, in tests without a store. */

import type { DataFolder } from '../store/data-folder.ts'
import type { CommandLogPorts } from '../store/command-log.ts'
import { SegmentFile } from '../store/segment.ts'

export function beginFirstSegment(folder: DataFolder): Promise<SegmentFile> {
  const header = { segment: 1, after: 0, epoch: '0123456789', rules: 'of a test', previous: null }
  return SegmentFile.begin(folder, header)
}

/** A folder without another server. */
export const undisturbed: CommandLogPorts = {
  checkSole: () => undefined,
  marker: { move: () => undefined, close: () => Promise.resolve() },
  onCommit: () => undefined,
  onFailure: () => undefined,
}
