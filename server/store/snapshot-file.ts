/**
 * `snapshot.json`: a lowdb adapter for the state of the registry at the beginning of one segment.
 *
 * The file is one JSON document with a record on each line, so that people can read and search it,
 * and a checksum at its end. lowdb's own adapters do not sync their files; this one replaces the
 * file atomically.
 */

import { existsSync } from 'node:fs'
import type { Adapter } from 'lowdb'
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

export class SnapshotFile implements Adapter<Snapshot> {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Reads the snapshot; null if there is none. Throws `DamagedData`. */
  read(): Promise<Snapshot | null> {
    return Promise.resolve(existsSync(this.#path) ? readSnapshotFile(this.#path) : null)
  }

  async write(snapshot: Snapshot): Promise<void> {
    await replaceFile(this.#path, piecesOf(snapshot))
  }
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

function readSnapshotFile(path: string): Snapshot {
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
