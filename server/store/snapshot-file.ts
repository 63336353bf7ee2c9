/**
 * `snapshot.json`: the state of the registry at the beginning of one segment.
 *
 * The file is one JSON document with a record on each line, so that people can read and search it,
 * and a checksum at its end. It is replaced atomically.
 */

import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import {
  formatVersion,
  readSnapshot,
  snapshotFormat,
  snapshotTail,
  type Json,
  type SnapshotHeader,
} from '../../engine/index.ts'
import type { RegistryState } from '../queues/queue-registry.ts'
import { readingFile } from './damaged-data.ts'
import { linesOfFile } from '../files/checked-line.ts'
import { replaceFile } from '../files/replace-file.ts'
import { snapshotLines, SnapshotReader, textOfLine, type SnapshotLine } from './snapshot-lines.ts'

export type Snapshot = {
  /** The first segment whose entries the snapshot does not contain. */
  readonly segment: number
  readonly state: RegistryState
}

/** Replaces the snapshot at the path. */
export function writeSnapshot(path: string, snapshot: Snapshot): Promise<void> {
  return replaceFile(path, piecesOf(snapshot))
}

/** The document in pieces, so that it is never in memory as one text. */
function* piecesOf(snapshot: Snapshot): Generator<string> {
  let crc = 0
  for (const piece of recordsOf(snapshot)) {
    crc = crc32(piece, crc)
    yield piece
  }
  yield `${snapshotTail(crc)}\n`
}

function* recordsOf({ segment, state }: Snapshot): Generator<string> {
  const { sequence, at } = state
  const header = JSON.stringify({
    snapshot: snapshotFormat,
    version: formatVersion,
    segment,
    sequence,
    at,
  } satisfies SnapshotHeader)
  yield `${header.slice(0, -1)},"lines":[`
  let before = '\n'
  for (const line of snapshotLines(state)) {
    for (const piece of textOfLine(line)) {
      yield `${before}${piece}`
      before = ''
    }
    before = ',\n'
  }
  yield '\n'
}

/** Reads the snapshot at the path; null if there is none. Throws `DamagedData`. */
export function snapshotAt(path: string): Snapshot | null {
  if (!existsSync(path)) return null
  const reader = new SnapshotReader()
  const take = ({ text, revive }: Json): void => {
    const line: SnapshotLine = JSON.parse(text, revive)
    reader.take(line)
  }
  const { segment, sequence, at } = readingFile(path, () =>
    readSnapshot(linesOfFile(path), crc32, take),
  )
  const { queues, testCases, epochs } = reader
  return { segment, state: { sequence, at, queues, testCases, epochs } }
}
