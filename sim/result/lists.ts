/** The lists of a result: the merge order, the pull requests and the test runs. */

import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Event,
  type EventOf,
  type Millis,
  type PullRequestNumber,
  type PullRequestState,
  type Reason,
  type TestRun,
  type TestRunId,
  isTerminal,
} from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'
import type { PullRequestResult, TestRunResult } from './result-document.ts'
import type { EndedRun, ResultContext, ResultProjection } from './result-projection.ts'

export class ListsProjection implements ResultProjection {
  readonly mergeOrder: PullRequestNumber[] = []
  readonly pullRequests = new PullRequestList()
  readonly testRuns = new TestRunList()

  onEvent(event: Event, context: ResultContext): void {
    if (event.type === 'tipMoved' && event.number !== null) this.mergeOrder.push(event.number)
    this.pullRequests.onEvent(event, context)
  }

  onRunEnd(ended: EndedRun): void {
    this.testRuns.onRunEnd(ended)
  }
}

// The results of all pull requests. They are stored in columns to save memory, because there may be
// millions. A row has the same index in each column.

/** Marks a missing time. */
const never: Millis = -1

class PullRequestList implements ResultProjection {
  readonly #rows = new Map<PullRequestNumber, number>()
  readonly #numbers: PullRequestNumber[] = []
  readonly #states: PullRequestState[] = []
  readonly #reasons: (Reason | null)[] = []
  readonly #submittedAt: Millis[] = []
  readonly #startedAt: Millis[] = []
  readonly #concludedAt: Millis[] = []
  readonly #testRuns: number[] = []
  readonly #restarts: number[] = []

  onEvent(event: Event, { at }: ResultContext): void {
    if (event.type === 'pullRequestSubmitted') this.#submit(event, at)
    else if (event.type === 'pullRequestMoved') this.#move(event, at)
    else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#start(this.#rowOf(number), at)
    }
  }

  /** Yields the results, sorted by pull request number. */
  *results(): Generator<PullRequestResult> {
    const rows = this.#numbers.map((_, row) => row)
    rows.sort((a, b) => (this.#numbers[a] ?? 0) - (this.#numbers[b] ?? 0))
    for (const row of rows) yield this.#resultOf(row)
  }

  #rowOf(number: PullRequestNumber): number {
    const known = this.#rows.get(number)
    if (known !== undefined) return known
    const row = this.#numbers.length
    this.#rows.set(number, row)
    this.#numbers.push(number)
    this.#testRuns.push(0)
    this.#restarts.push(0)
    return row
  }

  #submit({ number, state }: EventOf<'pullRequestSubmitted'>, at: Millis): void {
    const row = this.#rowOf(number)
    this.#states[row] = state
    this.#reasons[row] = 'API_REQUESTED'
    this.#submittedAt[row] = at
    this.#startedAt[row] = never
    this.#concludedAt[row] = never
  }

  #move({ number, from, to, reason }: EventOf<'pullRequestMoved'>, at: Millis): void {
    const row = this.#rowOf(number)
    this.#states[row] = to
    this.#reasons[row] = reason
    if (isTerminal(to)) this.#concludedAt[row] = at
    const isRestart = to === 'PENDING' && from !== 'NOT_READY'
    if (isRestart) this.#restarts[row] = (this.#restarts[row] ?? 0) + 1
  }

  #start(row: number, at: Millis): void {
    this.#testRuns[row] = (this.#testRuns[row] ?? 0) + 1
    if (this.#startedAt[row] === never) this.#startedAt[row] = at
  }

  #resultOf(row: number): PullRequestResult {
    return {
      number: this.#numbers[row] ?? 0,
      state: this.#states[row] ?? 'NOT_READY',
      reason: this.#reasons[row] ?? null,
      submittedAt: toMinutes(this.#submittedAt[row] ?? 0),
      startedAt: minutesOrNull(this.#startedAt[row]),
      concludedAt: minutesOrNull(this.#concludedAt[row]),
      testRuns: this.#testRuns[row] ?? 0,
      restarts: this.#restarts[row] ?? 0,
    }
  }
}

function minutesOrNull(at: Millis | undefined): number | null {
  return at === undefined || at === never ? null : toMinutes(at)
}

// The results of all test runs, by id. They are kept as JSON text, because the runs of a million pull
// requests would fill the memory as objects.

class TestRunList implements ResultProjection {
  readonly #spool = new Spool()
  /** The texts of runs that ended before a run with a lower id. */
  readonly #early = new Map<TestRunId, string>()
  #nextId: TestRunId = 1

  onRunEnd({ run, at, outcome, flaked }: EndedRun): void {
    this.#add(resultOf(run, { finishedAt: toMinutes(at), outcome, flaked }))
  }

  /** Adds runs that never ended, because the engine threw. */
  addLeftOver(runs: readonly TestRun[]): void {
    for (const run of runs) {
      this.#add(resultOf(run, { finishedAt: null, outcome: null, flaked: false }))
    }
  }

  /** Returns the JSON texts in pieces, separated by a comma and a line break. */
  texts(): Iterable<string> {
    return this.#spool.texts()
  }

  #add(result: TestRunResult): void {
    this.#early.set(result.id, JSON.stringify(result))
    for (let text = this.#take(); text !== undefined; text = this.#take()) {
      this.#spool.add(this.#spool.isEmpty ? text : `,\n${text}`)
    }
  }

  /** Removes and returns the text of the next run in order, if that run has ended. */
  #take(): string | undefined {
    const text = this.#early.get(this.#nextId)
    if (text !== undefined) this.#early.delete(this.#nextId++)
    return text
  }
}

type RunEnd = Pick<TestRunResult, 'finishedAt' | 'outcome' | 'flaked'>

function resultOf({ id, owner, base, tested, startedAt }: TestRun, end: RunEnd): TestRunResult {
  return { id, kind: owner.kind, base, tested, startedAt: toMinutes(startedAt), ...end }
}

// Stores text of any length that is read later. Short text stays in memory; longer text goes to a
// temporary file.

/** The approximate size of the pieces that are written to the file and read back. */
const pieceBytes = 1_000_000

export class Spool {
  readonly #piecesInMemory: number
  readonly #pieces: Buffer[] = []
  /** Holds the text before the pieces; null until the text is too long for memory. */
  #file: number | null = null
  #fileBytes = 0
  #piece = ''

  constructor({ piecesInMemory = 64 }: { readonly piecesInMemory?: number } = {}) {
    this.#piecesInMemory = piecesInMemory
  }

  get isEmpty(): boolean {
    return this.#piece === '' && this.#pieces.length === 0 && this.#file === null
  }

  add(text: string): void {
    this.#piece += text
    if (this.#piece.length < pieceBytes) return
    this.#pieces.push(Buffer.from(this.#piece, 'utf8'))
    this.#piece = ''
    if (this.#pieces.length > this.#piecesInMemory) this.#moveToFile()
  }

  /** Yields all the text that was added, in order. May be called repeatedly. */
  *texts(): Generator<string> {
    const decoder = new TextDecoder()
    if (this.#file !== null) {
      const buffer = Buffer.alloc(pieceBytes)
      for (let from = 0; from < this.#fileBytes;) {
        const length = readSync(this.#file, buffer, 0, pieceBytes, from)
        from += length
        // A piece may end in the middle of a character.
        yield decoder.decode(buffer.subarray(0, length), { stream: true })
      }
    }
    for (const piece of this.#pieces) yield piece.toString('utf8')
    yield this.#piece
  }

  #moveToFile(): void {
    this.#file ??= openScratchFile()
    for (const piece of this.#pieces.splice(0)) {
      for (let from = 0; from < piece.length;) {
        from += writeSync(this.#file, piece, from, piece.length - from, this.#fileBytes + from)
      }
      this.#fileBytes += piece.length
    }
  }
}

/** Opens a file and removes its name, so that the file disappears with the process. */
function openScratchFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  const file = openSync(join(folder, 'spool'), 'wx+', 0o600)
  rmSync(folder, { recursive: true })
  return file
}
