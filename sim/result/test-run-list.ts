/**
 * What became of each test run, by id. Kept as the text that will be printed: as objects, the runs
 * of a million pull requests would fill the memory.
 */

import type { TestRun, TestRunId } from '../../engine/index.ts'
import { toMinutes } from '../time.ts'
import type { Book, EndedRun } from './book.ts'
import type { TestRunResult } from './result-document.ts'
import { Spool } from './spool.ts'

export class TestRunList implements Book {
  readonly #spool = new Spool()
  /** Texts of runs that have ended before one with a lower id has. */
  readonly #early = new Map<TestRunId, string>()
  #nextId: TestRunId = 1

  seeEnd({ run, at, outcome, flaked }: EndedRun): void {
    this.#add(resultOf(run, { finishedAt: toMinutes(at), outcome, flaked }))
  }

  /** Runs that never ended, because the engine broke off. */
  addLeftOver(runs: readonly TestRun[]): void {
    for (const run of runs) {
      this.#add(resultOf(run, { finishedAt: null, outcome: null, flaked: false }))
    }
  }

  /** JSON texts with a comma and a new line between them, in pieces. */
  texts(): Iterable<string> {
    return this.#spool.texts()
  }

  #add(result: TestRunResult): void {
    this.#early.set(result.id, JSON.stringify(result))
    for (let text = this.#take(); text !== undefined; text = this.#take()) {
      this.#spool.add(this.#spool.isEmpty ? text : `,\n${text}`)
    }
  }

  /** The text of the run that comes next, if that has ended. */
  #take(): string | undefined {
    const text = this.#early.get(this.#nextId)
    if (text !== undefined) this.#early.delete(this.#nextId++)
    return text
  }
}

type End = Pick<TestRunResult, 'finishedAt' | 'outcome' | 'flaked'>

function resultOf({ id, owner, base, tested, startedAt }: TestRun, end: End): TestRunResult {
  return { id, kind: owner.kind, base, tested, startedAt: toMinutes(startedAt), ...end }
}
