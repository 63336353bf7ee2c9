/**
 * `snapshot.json`: lowdb's adapter for the state of a register at the beginning of one segment.
 *
 * One JSON document with a record on each line, so that a person can read it and find things in it,
 * and with a checksum at its end. lowdb's own adapters never sync what they write; this one has
 * all of the old or all of the new on disk at any instant.
 */

import { existsSync } from 'node:fs'
import type { Adapter } from 'lowdb'
import { crc32 } from 'node:zlib'
import {
  formatVersion,
  snapshotFormat,
  snapshotTail,
  type SnapshotHeader,
} from '../../engine/index.ts'
import type { RegisterState } from '../yard/register.ts'
import { DamagedData, orDamaged, type Damaged } from './damaged-data.ts'
import { linesOfFile, textOf } from './lines-of-file.ts'
import { replaceFile } from './replace-file.ts'
import { lineIn, snapshotLines, SnapshotReader, textOfLine } from './snapshot-lines.ts'

export type Snapshot = {
  /** The first segment whose entries are not in it yet. */
  readonly segment: number
  readonly state: RegisterState
}

export class SnapshotFile implements Adapter<Snapshot> {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Reads it without changing anything; null where there is none. Throws `DamagedData`. */
  read(): Promise<Snapshot | null> {
    return Promise.resolve(existsSync(this.#path) ? readSnapshot(this.#path) : null)
  }

  async write(snapshot: Snapshot): Promise<void> {
    await replaceFile(this.#path, piecesOf(snapshot))
  }
}

/** The document, piece by piece: it is never in memory as one text. */
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

function readSnapshot(path: string): Snapshot {
  const reader = new SnapshotReader()
  let header: SnapshotHeader | null = null
  let crc = 0
  let isComplete = false
  for (const line of linesOfFile(path)) {
    const damaged: Damaged = (fault) => new DamagedData(path, line.number, fault)
    if (isComplete) throw damaged('nothing was expected behind the end')
    const tail = snapshotTail(crc)
    if (line.length === tail.length && textOf(line).startsWith(']')) {
      isComplete = textOf(line) === tail
      if (!isComplete) throw damaged(`the checksum ${tail} was expected`)
      continue
    }
    for (const piece of line.pieces) crc = crc32(piece, crc)
    crc = crc32('\n', crc)
    if (line.number === 1) header = orDamaged(damaged, () => readHeader(`${textOf(line)}]}`))
    else orDamaged(damaged, () => reader.take(lineIn(line)))
  }
  if (!header || !isComplete) throw new DamagedData(path, null, 'the file is cut short')
  const { segment, sequence, at } = header
  const { queues, testCases } = reader
  return { segment, state: { sequence, at, queues, testCases } }
}

function readHeader(text: string): SnapshotHeader {
  const header: SnapshotHeader = JSON.parse(text)
  const isKnown = header.snapshot === snapshotFormat && header.version === formatVersion
  if (isKnown) return header
  throw new Error(`a ${snapshotFormat} of version ${formatVersion} was expected`)
}
