/**
 * The recording of one queue: its first state and all later commands (S-50).
 *
 * It starts with the command that created the queue. If that command is no longer kept, it starts
 * with the oldest snapshot that is kept. If queues were created several times under one name, it is
 * the recording of the last one.
 */

import { closeSync, existsSync, openSync, readSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  DamagedRecording,
  type EngineCommand,
  type Json,
  type Line,
  type LogEntry,
  type LogHeader,
  type Millis,
  type PullRequestLine,
  type Queue,
  type QueueLine,
  type ReadUpTo,
  type SegmentStart,
  type SnapshotHeader,
  type TargetsLine,
  beginningName,
  createdQueue,
  isForEngine,
  linesIn,
  linkSegments,
  missingSegment,
  readInto,
  readQueue,
  readSegment,
  readSegmentHeader,
  readSnapshot,
  readSnapshotHeader,
  recordingFiles,
  segmentName,
  segmentNamed,
} from '../../engine/index.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { kindAt, refuseUnreadable } from '../../server/terminal/files.ts'
import { codeOf } from '../../server/terminal/text.ts'

type RecordedEntry = {
  readonly sequence: number
  readonly at: Millis
  readonly command: EngineCommand
  /** The name of the token that sent it; null if time did, or nobody knows. */
  readonly by: string | null
}

type RecordingStart = SnapshotQueue & {
  readonly at: Millis
  /**
   * The sequence number of the last entry before the start, or of the command that created the
   * queue.
   */
  readonly sequence: number
  /** Whether the recording starts with the creation of the queue, which is empty then. */
  readonly isWhole: boolean
}

export type Recording = {
  /** `github.com/acme/shop:main` */
  readonly name: string
  readonly begin: RecordingStart
  readonly entries: readonly RecordedEntry[]
  /** The snapshots that the server wrote during the recording. */
  readonly checkpoints: readonly Checkpoint[]
}

type Checkpoint = {
  readonly file: string
  /** The sequence number of the last entry that the snapshot includes. */
  readonly sequence: number
  readonly queue: () => Queue | null
}

type RecordingDraft = { begin: RecordingStart; entries: RecordedEntry[] }

/**
 * Reads the recording of the queue `wanted`; with null, of the only queue. `path` is a data folder,
 * or one segment of its log. `called` is its name in errors. Throws `BadInput` if the recording is
 * damaged, or if there is no such queue.
 */
export function openRecording(path: string, called: string, wanted: string | null): Recording {
  const log = findLog(path, called)
  const name = wanted === null ? null : withHostInLowerCase(wanted)
  const drafts = beginnings(log, name)
  const known = new Set(drafts.keys())
  readEntries(log, (entry) => {
    if (entry.queue === null) return
    known.add(entry.queue)
    if (name === null || entry.queue === name) takeInto(drafts, entry.queue, entry)
  })
  const [only, ...others] = known
  const chosen = name ?? (others.length === 0 ? only : undefined)
  const draft = chosen === undefined ? undefined : drafts.get(chosen)
  if (chosen === undefined || !draft) throw noQueue(called, wanted, [...known])
  return { name: chosen, ...draft, checkpoints: checkpointsOf(log, chosen, draft.begin) }
}

/** The queues in the snapshot at the start of the oldest segment. */
function beginnings(log: Log, name: string | null): Map<string, RecordingDraft> {
  const [first = 1] = log.segments
  const file = beginningOf(log, first)
  if (file === null) return new Map()
  const { header, queues } = readQueues(file, name)
  const { at, sequence } = header
  return new Map(
    [...queues].map(([queue, kept]) => {
      const begin = { ...kept, at, sequence, isWhole: false }
      return [queue, { begin, entries: [] }]
    }),
  )
}

function takeInto(
  drafts: Map<string, RecordingDraft>,
  name: string,
  { sequence, at, command, by }: LogEntry,
): void {
  if (command.type === 'createQueue') {
    const { incarnation } = command
    const queue = createdQueue(command, at)
    drafts.set(name, {
      begin: { incarnation, queue, at, sequence, isWhole: true },
      entries: [],
    })
  } else if (isForEngine(command)) {
    drafts.get(name)?.entries.push({ sequence, at, command, by: by?.token ?? null })
  }
}

function checkpointsOf(log: Log, name: string, begin: RecordingStart): Checkpoint[] {
  return log.segments.flatMap((segment) => {
    const file = snapshotAt(log, segment)
    if (file === null) return []
    const { header, queues } = readQueues(file, name)
    const kept = queues.get(name)
    if (header.sequence <= begin.sequence || kept?.incarnation !== begin.incarnation) return []
    const queue = (): Queue | null => readQueues(file, name).queues.get(name)?.queue ?? null
    return [{ file, sequence: header.sequence, queue }]
  })
}

function noQueue(called: string, wanted: string | null, known: readonly string[]): BadInput {
  const names =
    known.length === 0 ? 'but the recording holds no queue' : `one of ${known.join(', ')}`
  const expected = `the name of a recorded queue, ${names}`
  return new BadInput(called, [{ where: '--queue', expected, actual: wanted ?? 'nothing' }])
}

function withHostInLowerCase(name: string): string {
  const end = Math.max(0, name.indexOf('/'))
  return name.slice(0, end).toLowerCase() + name.slice(end)
}

// The command log of a server's data folder: its segments, and every entry in them.

type Log = {
  readonly folder: string
  /** The numbers of the segments: without a gap, oldest first; at least one. */
  readonly segments: readonly number[]
}

/**
 * Finds the log in a data folder, or one segment of it. Throws `BadInput` if there is no complete
 * log.
 */
function findLog(path: string, name: string): Log {
  const only = segmentNamed(basename(path))
  if (only !== null && kindAt(path) === 'file')
    return { folder: dirname(dirname(path)), segments: [only] }
  refuseUnreadable(path)
  const segments = segmentsIn(path)
  const [first] = segments
  if (first === undefined) {
    const expected = 'the data folder of a server, with a command log in it'
    throw new BadInput(name, [{ where: '--against', expected, actual: 'none' }])
  }
  const missing = missingSegment(first, segments)
  if (missing !== null) {
    const file = segmentFile({ folder: path, segments }, missing)
    throw new BadInput(file, [{ where: 'file', expected: 'a segment', actual: 'no file' }])
  }
  return { folder: path, segments }
}

function segmentsIn(folder: string): number[] {
  const log = join(folder, recordingFiles.log)
  return (existsSync(log) ? readdirSync(log) : [])
    .flatMap((file) => segmentNamed(file) ?? [])
    .sort((a, b) => a - b)
}

/**
 * The snapshot at the start of a segment; null if there is none, or it is no longer kept. A segment
 * without entries begins and ends at the same snapshot.
 */
function beginningOf(log: Log, segment: number): string | null {
  for (let at = segment; ; at--) {
    const snapshot = snapshotAt(log, at)
    if (snapshot !== null) return snapshot
    const [before, header] = [at - 1, at].map((each) => headerOf(log, each))
    if (!before || !header || before.after !== header.after) return null
  }
}

function headerOf(log: Log, segment: number): LogHeader | null {
  const file = segmentFile(log, segment)
  if (!existsSync(file)) return null
  return readingFile(file, (lines) => readSegmentHeader(lines, segment, crc32))
}

/** The snapshot that was written for the start of this segment; null if there is none. */
function snapshotAt({ folder }: Log, segment: number): string | null {
  const kept = join(folder, recordingFiles.log, beginningName(segment))
  if (existsSync(kept)) return kept
  const newest = join(folder, recordingFiles.snapshot)
  return existsSync(newest) && beginsAt(newest) === segment ? newest : null
}

/** The number of the segment that starts at a snapshot. */
function beginsAt(snapshot: string): number {
  return readingFile(snapshot, readSnapshotHeader).segment
}

/**
 * Calls `take` with every entry, oldest first. Ignores an incomplete last line, which is left by a
 * crash or by a server that is writing it. Throws `BadInput` for any other damage.
 */
function readEntries(log: Log, take: (entry: LogEntry) => void): void {
  let after: number | null = null
  const linked = linkSegments(segmentsIn(log.folder), (segment) => headerOf(log, segment))
  for (const { segment, end, isLast } of linked) {
    if (!log.segments.includes(segment)) continue
    const start: SegmentStart = { segment, after, isLast, end }
    const read = (lines: Iterable<Line>): ReadUpTo => readSegment(lines, start, crc32, take)
    after = readingFile(segmentFile(log, segment), read).sequence
  }
}

function segmentFile({ folder }: Log, segment: number): string {
  return join(folder, recordingFiles.log, segmentName(segment))
}

// Reads the queues in a snapshot of a server.

type SnapshotQueue = { readonly incarnation: string; readonly queue: Queue }

/** The header of a snapshot, and the queues in it by name. */
type Snapshot = {
  readonly header: SnapshotHeader
  readonly queues: ReadonlyMap<string, SnapshotQueue>
}

/** The records of a snapshot; those that are not about the engine are ignored. */
type SnapshotRecord =
  | QueueLine
  | PullRequestLine
  | TargetsLine
  | { testRun: number }
  | { testCase: object }
  | { epoch: string }

/**
 * Reads a snapshot and returns the queue `wanted`; with null, all queues. Throws `BadInput` for any
 * damage.
 */
function readQueues(path: string, wanted: string | null): Snapshot {
  const queues = new Map<string, SnapshotQueue>()
  let current: Queue | null = null
  const take = ({ text, revive }: Json): void => {
    const record: SnapshotRecord = JSON.parse(text, revive)
    if ('queue' in record) {
      const isWanted = wanted === null || record.queue === wanted
      current = isWanted ? readQueue(record.engine) : null
      if (current) queues.set(record.queue, { incarnation: record.incarnation, queue: current })
    } else if (current && isOfEngine(record)) {
      readInto(current, record)
    }
  }
  const header = readingFile(path, (lines) => readSnapshot(lines, crc32, take))
  return { header, queues }
}

function isOfEngine(record: SnapshotRecord): record is PullRequestLine | TargetsLine {
  return 'pullRequest' in record || 'impactedTargets' in record
}

// Reads the files of a recording with the engine's reader. Changes no file.

/**
 * Calls `read` with the lines of a file and returns its result. Throws `BadInput` if the file is
 * damaged.
 */
function readingFile<Value>(path: string, read: (lines: Iterable<Line>) => Value): Value {
  const file = openFile(path)
  try {
    return read(linesIn((chunk, offset) => readSync(file, chunk, 0, chunk.length, offset)))
  } catch (error) {
    if (!(error instanceof DamagedRecording)) throw error
    const { line, expected, actual } = error
    const where = line === null ? 'file' : `line ${line}`
    throw new BadInput(path, [{ where, expected, actual }])
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const actual = codeOf(error) || String(error)
    throw new BadInput(path, [{ where: 'file', expected: 'a file that can be read', actual }])
  }
}
