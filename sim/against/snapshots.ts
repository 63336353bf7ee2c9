/** A queue as a server's snapshot keeps it. */

import { crc32 } from 'node:zlib'
import {
  formatVersion,
  readInto,
  readQueue,
  snapshotFormat,
  snapshotTail,
  type PullRequestLine,
  type Queue,
  type QueueLine,
  type SnapshotHeader,
  type TargetsLine,
} from '../../engine/index.ts'
import { damaged, linesOf } from './lines.ts'

export type SnapshotQueue = { readonly incarnation: string; readonly queue: Queue }

/** A snapshot, as far as queues go: where it stands, and what it knows of each. */
export type Snapshot = {
  readonly header: SnapshotHeader
  readonly queues: ReadonlyMap<string, SnapshotQueue>
}

/** Only its first line. Throws `BadInput` for what is no snapshot. */
export function headerOf(path: string): SnapshotHeader {
  for (const { bytes } of linesOf(path)) return readHeader(path, bytes.toString('utf8'))
  throw damaged(path, 1, `a ${snapshotFormat}`, 'nothing')
}

/** Reads all of it, and keeps the queues of that name, or all. Throws `BadInput` for any damage. */
export function readSnapshot(path: string, wanted: string | null): Snapshot {
  const header = headerOf(path)
  const queues = new Map<string, SnapshotQueue>()
  let current: Queue | null = null
  let crc = 0
  let isOver = false
  for (const { bytes, number } of linesOf(path)) {
    const text = bytes.toString('utf8')
    if (isOver) throw damaged(path, number, 'the end of the file', 'more')
    if (text.startsWith('],"crc":')) {
      if (text !== snapshotTail(crc)) throw damaged(path, number, snapshotTail(crc), text)
      isOver = true
      continue
    }
    crc = crc32('\n', crc32(bytes, crc))
    if (number === 1) continue
    const line: Line = JSON.parse(text.replace(/,$/, ''))
    if ('queue' in line) {
      const isWanted = wanted === null || line.queue === wanted
      current = isWanted ? readQueue(line.engine) : null
      if (current) queues.set(line.queue, { incarnation: line.incarnation, queue: current })
    } else if (current && !('testRun' in line) && !('testCase' in line)) {
      readInto(current, line)
    }
  }
  if (!isOver) throw damaged(path, 1, 'a whole snapshot', 'one that is cut short')
  return { header, queues }
}

/** What else a server keeps in it is of no concern here. */
type Line = QueueLine | PullRequestLine | TargetsLine | { testRun: number } | { testCase: object }

function readHeader(path: string, text: string): SnapshotHeader {
  const expected = `a ${snapshotFormat} of version ${formatVersion}`
  let header: Partial<SnapshotHeader> = {}
  try {
    header = JSON.parse(`${text}]}`)
  } catch {
    throw damaged(path, 1, expected, 'another file')
  }
  const { snapshot, version, segment, sequence, at } = header
  const isKnown = snapshot === snapshotFormat && version === formatVersion
  if (!isKnown || segment === undefined || sequence === undefined || at === undefined) {
    throw damaged(path, 1, expected, 'another file')
  }
  return { snapshot, version, segment, sequence, at }
}
