/**
 * The recording of one queue: how it began, and everything it was told since.
 *
 * It begins with the command that made the queue; or, where that is not kept any more, with the
 * oldest snapshot that is. Of queues that were made one after the other under one name it is the
 * last.
 */

import {
  createdQueue,
  isForEngine,
  type EngineCommand,
  type Entry,
  type Millis,
  type Queue,
} from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { beginningOf, entriesOf, findLog, type Log } from './log.ts'
import { readSnapshot, type SnapshotQueue } from './snapshots.ts'

type RecordedEntry = {
  readonly sequence: number
  readonly at: Millis
  readonly command: EngineCommand
}

type Beginning = SnapshotQueue & {
  readonly at: Millis
  /** The last entry before it, or the one that made it. */
  readonly sequence: number
  /** Whether the queue was made here, and so was empty. */
  readonly isWhole: boolean
}

export type Recording = {
  /** `github.com/acme/shop:main` */
  readonly name: string
  readonly begin: Beginning
  readonly entries: readonly RecordedEntry[]
  /** Snapshots that a server made on the way: where, and how to read the queue in them. */
  readonly checkpoints: readonly Checkpoint[]
}

type Checkpoint = {
  readonly file: string
  /** The last entry that is in it. */
  readonly sequence: number
  readonly queue: () => Queue | null
}

type Draft = { begin: Beginning; entries: RecordedEntry[] }

/**
 * Reads the recording of a queue, or of the only one there is. `path` is a data folder, or one
 * segment of its log; faults call it `called`. Throws `BadInput`.
 */
export function openRecording(path: string, called: string, wanted: string | null): Recording {
  const log = findLog(path, called)
  const name = wanted === null ? null : withHostInLowerCase(wanted)
  const drafts = beginnings(log, name)
  const known = new Set(drafts.keys())
  for (const entry of entriesOf(log)) {
    if (entry.queue === null) continue
    known.add(entry.queue)
    if (name === null || entry.queue === name) take(drafts, entry.queue, entry)
  }
  const [only, ...others] = known
  const chosen = name ?? (others.length === 0 ? only : undefined)
  const draft = chosen === undefined ? undefined : drafts.get(chosen)
  if (chosen === undefined || !draft) throw noQueue(called, wanted, [...known])
  return { name: chosen, ...draft, checkpoints: checkpointsOf(log, chosen, draft.begin) }
}

/** The queues that were there before the oldest segment. */
function beginnings(log: Log, name: string | null): Map<string, Draft> {
  const [first = 1] = log.segments
  const file = beginningOf(log, first)
  if (file === null) return new Map()
  const { header, queues } = readSnapshot(file, name)
  const { at, sequence } = header
  return new Map(
    [...queues].map(([queue, kept]) => {
      const begin = { ...kept, at, sequence, isWhole: false }
      return [queue, { begin, entries: [] }]
    }),
  )
}

function take(drafts: Map<string, Draft>, name: string, { sequence, at, command }: Entry): void {
  if (command.type === 'createQueue') {
    const { incarnation } = command
    const queue = createdQueue(command, at)
    drafts.set(name, {
      begin: { incarnation, queue, at, sequence, isWhole: true },
      entries: [],
    })
  } else if (isForEngine(command)) drafts.get(name)?.entries.push({ sequence, at, command })
}

function checkpointsOf(log: Log, name: string, begin: Beginning): Checkpoint[] {
  return log.segments.flatMap((segment) => {
    const file = beginningOf(log, segment)
    if (file === null) return []
    const { header, queues } = readSnapshot(file, name)
    const kept = queues.get(name)
    if (header.sequence <= begin.sequence || kept?.incarnation !== begin.incarnation) return []
    const queue = (): Queue | null => readSnapshot(file, name).queues.get(name)?.queue ?? null
    return [{ file, sequence: header.sequence, queue }]
  })
}

function noQueue(called: string, wanted: string | null, known: readonly string[]): BadInput {
  const names = known.length === 0 ? 'and it holds none' : `one of ${known.join(', ')}`
  const expected = `the name of a queue that is recorded, ${names}`
  return new BadInput(called, [{ where: '--queue', expected, came: wanted ?? 'nothing' }])
}

function withHostInLowerCase(name: string): string {
  const end = Math.max(0, name.indexOf('/'))
  return name.slice(0, end).toLowerCase() + name.slice(end)
}
