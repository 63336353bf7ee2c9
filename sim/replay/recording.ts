/**
 * The recording of one queue: its first state and all later commands (S-50).
 *
 * It starts with the command that created the queue. If that command is no longer kept, it starts
 * with the oldest snapshot that is kept. If queues were created several times under one name, it is
 * the recording of the last one.
 */

import {
  createdQueue,
  isForEngine,
  type EngineCommand,
  type LogEntry,
  type Millis,
  type Queue,
} from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { beginningOf, findLog, readEntries, snapshotAt, type Log } from './log.ts'
import { readQueues, type SnapshotQueue } from './snapshots.ts'

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
    if (name === null || entry.queue === name) take(drafts, entry.queue, entry)
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

function take(
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
