/**
 * The results of all test runs, by id. They are kept as JSON text, because the runs of a million pull
 * requests would fill the memory as objects.
 */

import type { TestRun, TestRunId } from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'
import type { ResultProjection, EndedRun } from './result-projection.ts'
import type { TestRunResult } from './result-document.ts'
import { Spool } from './spool.ts'

export class TestRunList implements ResultProjection {
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
