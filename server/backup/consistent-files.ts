/**
 * The files of a data folder at one instant, while a server writes it.
 *
 * The log is only appended to, and the end marker names what is acknowledged. So the order makes the
 * instant: first everything that depends on the log, then the end, then the log up to this end.
 */

import { existsSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { beginningFile, segmentFile, segmentsIn, type DataFolder } from '../store/data-folder.ts'
import { markerLine, readEndMarker, type MarkedEnd } from '../store/end-marker.ts'
import { readSegmentFile } from '../store/segment.ts'

export type PartOfFolder = {
  readonly name: string
  /** Open until the part is copied; or the content itself. */
  readonly from: FileHandle | string
  readonly bytes: number
  readonly mtime: Date
}

export type ConsistentFiles = {
  readonly end: MarkedEnd
  /** Each part must be copied, or its file closed, before the next is taken. */
  readonly parts: AsyncGenerator<PartOfFolder>
}

/** Throws if the folder has no log. */
export async function consistentFiles(folder: DataFolder): Promise<ConsistentFiles> {
  const { snapshot, outbox, tokens, webhooks, demo } = folder
  const opened = []
  // An open file keeps its content if another takes its name.
  for (const path of [snapshot, outbox, tokens, webhooks, demo]) {
    if (existsSync(path)) opened.push(await partOf(folder, path))
  }
  const end = endOf(folder)
  return { end, parts: partsOf(folder, opened, end) }
}

async function* partsOf(
  folder: DataFolder,
  opened: readonly PartOfFolder[],
  end: MarkedEnd,
): AsyncGenerator<PartOfFolder> {
  yield* opened
  // Newest first: a running server removes old segments from the front.
  const segments = segmentsIn(folder).filter((segment) => segment <= end.segment)
  for (const segment of segments.toReversed()) {
    const part = await partOf(folder, segmentFile(folder, segment)).catch(nothingIfRemoved)
    if (part === null) break
    yield segment === end.segment ? { ...part, bytes: end.bytes } : part
    const beginning = await partOf(folder, beginningFile(folder, segment)).catch(nothingIfRemoved)
    if (beginning !== null) yield beginning
  }
  const from = markerLine(end)
  yield { name: nameIn(folder, folder.end), from, bytes: from.length, mtime: new Date() }
}

async function partOf(folder: DataFolder, path: string): Promise<PartOfFolder> {
  const from = await open(path)
  const { size: bytes, mtime } = await from.stat()
  return { name: nameIn(folder, path), from, bytes, mtime }
}

function nameIn({ path }: DataFolder, file: string): string {
  return relative(path, file).replaceAll(sep, '/')
}

function nothingIfRemoved(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** The end that was acknowledged; in a folder of version 1, the last whole line. */
function endOf(folder: DataFolder): MarkedEnd {
  const marked = readEndMarker(folder)
  if (marked) return marked
  const segment = existsSync(folder.log) ? segmentsIn(folder).at(-1) : undefined
  if (segment === undefined) throw new Error(`${join(folder.path, 'log')} holds no command log`)
  const start = { segment, after: null, isLast: true }
  const read = readSegmentFile(segmentFile(folder, segment), start, () => undefined)
  return { segment, bytes: read.bytes, sequence: read.sequence ?? 0 }
}
