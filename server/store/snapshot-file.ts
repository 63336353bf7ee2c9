/**
 * `snapshot.json`: a lowdb adapter for the state of the registry at the beginning of one segment.
 *
 * The file is one JSON document with a record on each line, so that people can read and search it,
 * and a checksum at its end. lowdb's own adapters do not sync their files; this one replaces the
 * file atomically.
 */

import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Adapter } from 'lowdb'
import type * as recording from '../../engine/index.ts'
import {
  formatVersion,
  readSnapshot,
  snapshotFormat,
  snapshotTail,
  type Json,
  type SnapshotHeader,
  readInto,
  readQueue,
  serializedQueue,
} from '../../engine/index.ts'
import type { RegistryState } from '../queues/queue-registry.ts'
import { readingFile, isLongList, piecesWithTargets } from './segment.ts'
import { linesOfFile } from '../files/checked-line.ts'
import { replaceFile } from '../files/replace-file.ts'
import { Conclusions, type Forgotten, type StatusesUntil } from '../history/records.ts'
import { Counts } from '../history/counts.ts'
import {
  emptyHistory,
  isDescribed,
  nothingDescribed,
  type Description,
  type FrozenSnapshot,
  type PastRun,
  type PullRequestPast,
  type QueueHistory,
} from '../history/queue-history.ts'
import { TestCases, type TestCase } from '../history/test-cases.ts'
import { readTimeline, writtenTimeline, type WrittenStep } from '../history/timeline.ts'
import type { RunEpoch } from '../identity/ids.ts'
import type { ManagedQueueState } from '../queues/managed-queue.ts'

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

// Converts the state of the registry to JSON lines and back: one line for each queue, pull request,
// list of targets, test run and test case.
//
// The lines of a queue's contents follow the line of the queue. With separate lines, a hundred
// thousand pull requests are never in memory as one text.

type QueueLine = recording.QueueLine & {
  readonly conclusions: readonly number[]
  /** Missing in version 1. */
  readonly epochs?: readonly RunEpoch[]
  /** Older snapshots have neither of these. */
  readonly forgotten?: Forgotten
  readonly reported?: readonly (readonly [number: number, at: number])[]
  /** Missing in old snapshots: the numbers of notices then begin here. */
  readonly notices?: number
  /** What metrics count; missing in old snapshots, which begin at zero. */
  readonly counts?: readonly (readonly [string, number])[]
  /** Absent if the server has not paused the queue by itself. */
  readonly pausedFor?: recording.PausedFor
  /** Absent if nobody has set how long a test run may take. */
  readonly timeoutBy?: 'server' | 'somebody'
  /** Missing in old snapshots. */
  readonly statusesUntil?: readonly StatusesUntil[]
  /** Absent for a queue without a repository. */
  readonly tips?: readonly (readonly [tip: number, commit: string])[]
}
type PullRequestLine = recording.PullRequestLine &
  Omit<PullRequestPast, 'timeline' | 'described'> & {
    readonly timeline: readonly WrittenStep[]
    /** Absent if nobody has described it. */
    readonly described?: Description
  }
type PullSnapshotLine = { readonly card: FrozenSnapshot; readonly submission: number }
type TargetsLine = recording.TargetsLine
type TestRunLine = {
  readonly testRun: number
  /** Older snapshots do not have its end. */
  readonly run: Omit<PastRun, 'endedAt'> & Partial<Pick<PastRun, 'endedAt'>>
}
/** An epoch of the log up to the snapshot, oldest first. */
type EpochLine = { readonly epoch: string }
type TestCaseLine = { readonly testCase: TestCase; readonly repository: string }

export type SnapshotLine =
  | QueueLine
  | PullRequestLine
  | PullSnapshotLine
  | TargetsLine
  | TestRunLine
  | TestCaseLine
  | EpochLine

type SnapshotContents = {
  readonly queues: readonly ManagedQueueState[]
  readonly testCases: TestCases
  readonly epochs: readonly string[]
}

export function* snapshotLines(contents: SnapshotContents): Generator<SnapshotLine> {
  const { queues, testCases, epochs } = contents
  for (const epoch of epochs) yield { epoch }
  for (const queue of queues) yield* linesOfQueue(queue)
  for (const [repository, testCase] of testCases.all()) yield { testCase, repository }
}

/** The same as whole texts, for a state that fits into memory twice. */
export function linesOfState(contents: SnapshotContents): string[] {
  return [...snapshotLines(contents)].map((line) => [...textOfLine(line)].join(''))
}

function* linesOfQueue(state: ManagedQueueState): Generator<SnapshotLine> {
  const { name, incarnation, epochs, queue, history } = state
  const { pullRequests, impactedTargets } = queue
  const engine = serializedQueue(queue)
  const { conclusions, notices, reported, tips, counts } = history
  yield {
    queue: name,
    incarnation,
    engine,
    epochs,
    conclusions: conclusions.numbers,
    notices,
    ...(conclusions.forgotten.forgottenUntil === 0 ? {} : { forgotten: conclusions.forgotten }),
    ...(reported.size === 0 ? {} : { reported: [...reported] }),
    ...(tips.size === 0 ? {} : { tips: [...tips] }),
    ...(history.pausedFor === null ? {} : { pausedFor: history.pausedFor }),
    ...(history.timeoutBy === null ? {} : { timeoutBy: history.timeoutBy }),
    statusesUntil: history.statusesUntil,
    counts: counts.entries(),
  }
  for (const [number, past] of history.pullRequests) {
    const { described, timeline, ...noted } = past
    yield {
      pullRequest: number,
      engine: pullRequests[number] ?? null,
      timeline: writtenTimeline(timeline),
      ...noted,
      ...(isDescribed(described) ? { described } : {}),
    }
  }
  for (const [submission, card] of history.snapshots) yield { card, submission }
  for (const [number, targets] of Object.entries(impactedTargets)) {
    yield { impactedTargets: Number(number), targets }
  }
  for (const [testRun, run] of history.testRuns) yield { testRun, run }
}

/** Returns a line as JSON, in pieces. */
export function textOfLine(line: SnapshotLine): Iterable<string> {
  if (!('impactedTargets' in line) || !isLongList(line.targets)) return [JSON.stringify(line)]
  return piecesWithTargets(line.targets, (targets) => ({ ...line, targets }))
}

/** Rebuilds the state of the registry, line by line. */
class SnapshotReader {
  readonly queues: ManagedQueueState[] = []
  readonly testCases = new TestCases()
  readonly epochs: string[] = []

  take(line: SnapshotLine): void {
    if ('queue' in line) this.#takeQueue(line)
    else if ('pullRequest' in line) this.#takePullRequest(line)
    else if ('impactedTargets' in line) readInto(this.#current().queue, line)
    else if ('testRun' in line) this.#takeTestRun(line)
    else if ('epoch' in line) this.epochs.push(line.epoch)
    else if ('card' in line) this.#current().history.snapshots.set(line.submission, line.card)
    else this.testCases.restore(line.repository, line.testCase)
  }

  #takeQueue(line: QueueLine): void {
    const { queue: name, incarnation, engine, conclusions, epochs = [], notices = 0 } = line
    const { forgotten, reported, tips, counts, pausedFor = null, timeoutBy = null } = line
    const { statusesUntil = [] } = line
    const queue = readQueue(engine)
    const history: QueueHistory = {
      ...emptyHistory(),
      conclusions: new Conclusions(conclusions, forgotten),
      reported: new Map(reported),
      tips: new Map(tips),
      counts: new Counts(counts),
      pausedFor,
      timeoutBy,
      statusesUntil: [...statusesUntil],
      notices,
    }
    this.queues.push({ name, incarnation, epochs: [...epochs], queue, history })
  }

  #takePullRequest(line: PullRequestLine): void {
    const { pullRequest, engine: _engine, described = nothingDescribed, ...noted } = line
    const { queue, history } = this.#current()
    readInto(queue, line)
    const timeline = readTimeline(line.timeline)
    history.pullRequests.set(pullRequest, { ...noted, described, timeline })
  }

  #takeTestRun({ testRun, run }: TestRunLine): void {
    this.#current().history.testRuns.set(testRun, { ...run, endedAt: run.endedAt ?? null })
  }

  #current(): ManagedQueueState {
    const queue = this.queues.at(-1)
    if (!queue) throw new Error('a line before the line of its queue')
    return queue
  }
}

/** The state that these lines hold. */
export function stateOfLines(
  { sequence, at }: Pick<RegistryState, 'sequence' | 'at'>,
  lines: readonly string[],
): RegistryState {
  const reader = new SnapshotReader()
  for (const text of lines) {
    const line: SnapshotLine = JSON.parse(text)
    reader.take(line)
  }
  const { queues, testCases, epochs } = reader
  return { sequence, at, queues, testCases, epochs }
}
