/** The command log of a server's data folder: its segments, and every entry in them. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  beginningName,
  formatVersion,
  logFormat,
  recordingFiles,
  segmentName,
  segmentNamed,
  type Entry,
  type LogHeader,
} from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { checkedText, damaged, linesOf } from './lines.ts'
import { headerOf } from './snapshots.ts'

export type Log = {
  readonly folder: string
  /** Without a gap, oldest first; at least one. */
  readonly segments: readonly number[]
}

/** The log in a data folder, or one segment of it by itself. Throws `BadInput` where there is none. */
export function findLog(path: string, name: string): Log {
  const only = segmentNamed(basename(path))
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  if (only !== null && isFile) return { folder: dirname(dirname(path)), segments: [only] }
  const log = join(path, recordingFiles.log)
  const segments = (existsSync(log) ? readdirSync(log) : [])
    .flatMap((file) => segmentNamed(file) ?? [])
    .sort((a, b) => a - b)
  const [first] = segments
  if (first === undefined) {
    const expected = 'the data folder of a server, with a command log in it'
    throw new BadInput(name, [{ where: '--against', expected, came: 'none' }])
  }
  const gap = segments.findIndex((segment, index) => segment !== first + index)
  if (gap !== -1) {
    const missing = segmentFile({ folder: path, segments }, first + gap)
    throw new BadInput(missing, [{ where: 'file', expected: 'a segment', came: 'none' }])
  }
  return { folder: path, segments }
}

/** The snapshot at which a segment begins; null where there is none (any more, or yet). */
export function beginningOf({ folder }: Log, segment: number): string | null {
  const kept = join(folder, recordingFiles.log, beginningName(segment))
  if (existsSync(kept)) return kept
  const newest = join(folder, recordingFiles.snapshot)
  return existsSync(newest) && headerOf(newest).segment === segment ? newest : null
}

/**
 * Every entry, oldest first. A last line without an end is left out: a crash tore it, or a server
 * is writing it just now. Throws `BadInput` for any other damage.
 */
export function* entriesOf(log: Log): Generator<Entry> {
  let after: number | null = null
  for (const segment of log.segments) {
    const path = segmentFile(log, segment)
    const isLast = segment === log.segments.at(-1)
    for (const line of linesOf(path)) {
      const { number, isWhole } = line
      if (!isWhole && isLast) return
      const text = checkedText(path, line)
      if (number === 1) {
        after = headerIn(path, text, { segment, after })
        continue
      }
      const entry: Entry = JSON.parse(text)
      if (after === null || entry.sequence !== after + 1) {
        throw damaged(path, number, `entry ${(after ?? 0) + 1}`, `entry ${entry.sequence}`)
      }
      after = entry.sequence
      yield entry
    }
  }
}

type Expected = { readonly segment: number; readonly after: number | null }

/** The sequence of the entry before the first, as the header of a segment says. */
function headerIn(path: string, text: string, { segment, after }: Expected): number {
  const header: Partial<LogHeader> = JSON.parse(text)
  const isKnown = header.log === logFormat && header.version === formatVersion
  const follows = after === null || header.after === after
  if (isKnown && header.segment === segment && header.after !== undefined && follows) {
    return header.after
  }
  const expected = `segment ${segment} of a ${logFormat} of version ${formatVersion}`
  throw damaged(path, 1, after === null ? expected : `${expected} after entry ${after}`, 'another')
}

function segmentFile({ folder }: Log, segment: number): string {
  return join(folder, recordingFiles.log, segmentName(segment))
}
