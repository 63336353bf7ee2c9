/**
 * The state of a register as JSON lines, one for each thing a person might look for, and back.
 *
 * A queue's line comes first; the lines of its pull requests, targets and test runs follow it. So
 * a hundred thousand pull requests are never in memory as one text.
 */

import { readInto, readQueue, writtenQueue } from '../../engine/index.ts'
import type * as recording from '../../engine/index.ts'
import { emptyHistory, type PastRun, type QueueHistory } from '../history/queue-history.ts'
import { TestCases, type TestCase } from '../history/test-cases.ts'
import { readTimeline, writtenTimeline, type WrittenStep } from '../history/timeline.ts'
import type { YardQueueState } from '../yard/yard-queue.ts'
import { textOf, type Bytes } from './lines-of-file.ts'
import { isLongList, jsonWithTargets, piecesWithTargets } from './pieces.ts'

type QueueLine = recording.QueueLine & { readonly conclusions: readonly number[] }
type PullRequestLine = recording.PullRequestLine & {
  readonly sha: string
  readonly timeline: readonly WrittenStep[]
  readonly concludedAs: number | null
}
type TargetsLine = recording.TargetsLine
type TestRunLine = { readonly testRun: number; readonly run: PastRun }
type TestCaseLine = { readonly testCase: TestCase; readonly repository: string }

export type SnapshotLine = QueueLine | PullRequestLine | TargetsLine | TestRunLine | TestCaseLine

type Kept = { readonly queues: readonly YardQueueState[]; readonly testCases: TestCases }

export function* snapshotLines({ queues, testCases }: Kept): Generator<SnapshotLine> {
  for (const queue of queues) yield* linesOfQueue(queue)
  for (const [repository, testCase] of testCases.all()) yield { testCase, repository }
}

function* linesOfQueue(state: YardQueueState): Generator<SnapshotLine> {
  const { name, incarnation, queue, history } = state
  const { pullRequests, impactedTargets } = queue
  const engine = writtenQueue(queue)
  yield { queue: name, incarnation, engine, conclusions: history.conclusions }
  for (const [number, { sha, timeline, concludedAs }] of history.pullRequests) {
    yield {
      pullRequest: number,
      engine: pullRequests[number] ?? null,
      sha,
      timeline: writtenTimeline(timeline),
      concludedAs,
    }
  }
  for (const [number, targets] of Object.entries(impactedTargets)) {
    yield { impactedTargets: Number(number), targets }
  }
  for (const [testRun, run] of history.testRuns) yield { testRun, run }
}

/** A line as JSON, in pieces. */
export function textOfLine(line: SnapshotLine): Iterable<string> {
  if (!('impactedTargets' in line) || !isLongList(line.targets)) return [JSON.stringify(line)]
  return piecesWithTargets(line.targets, (targets) => ({ ...line, targets }))
}

const targetsOpening = '{"impactedTargets":'

/** The line that is written there as JSON, with or without a comma behind it. */
export function lineIn(bytes: Bytes): SnapshotLine {
  const [start = Buffer.alloc(0)] = bytes.pieces
  // Lines of queues hold lists of targets too, but many in one.
  const isTargets = start.toString('latin1', 0, targetsOpening.length) === targetsOpening
  const { text, revive } = isTargets ? jsonWithTargets(bytes) : { text: textOf(bytes) }
  const line: SnapshotLine = JSON.parse(text.replace(/,$/, ''), revive)
  return line
}

/** Puts a register's state together again, line by line. */
export class SnapshotReader {
  readonly queues: YardQueueState[] = []
  readonly testCases = new TestCases()

  take(line: SnapshotLine): void {
    if ('queue' in line) this.#takeQueue(line)
    else if ('pullRequest' in line) this.#takePullRequest(line)
    else if ('impactedTargets' in line) readInto(this.#current().queue, line)
    else if ('testRun' in line) this.#current().history.testRuns.set(line.testRun, line.run)
    else this.testCases.restore(line.repository, line.testCase)
  }

  #takeQueue({ queue: name, incarnation, engine, conclusions }: QueueLine): void {
    const queue = readQueue(engine)
    const history: QueueHistory = { ...emptyHistory(), conclusions: [...conclusions] }
    this.queues.push({ name, incarnation, queue, history })
  }

  #takePullRequest(line: PullRequestLine): void {
    const { pullRequest: number, sha, concludedAs } = line
    const { queue, history } = this.#current()
    readInto(queue, line)
    const timeline = readTimeline(line.timeline)
    history.pullRequests.set(number, { sha, timeline, concludedAs })
  }

  #current(): YardQueueState {
    const queue = this.queues.at(-1)
    if (!queue) throw new Error('a queue was expected before what is in it')
    return queue
  }
}
