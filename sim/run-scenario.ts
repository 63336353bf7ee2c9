/** A scenario from its file form to everything that can be said about how it went. */

import type { TestRun } from '../engine/index.ts'
import { ExpectationsBook } from './expectations.ts'
import type { Book } from './result/book.ts'
import { FiguresBook } from './result/figures.ts'
import { ListsBook } from './result/lists.ts'
import type { Expectation, Figures } from './result/result-document.ts'
import type { RunResult } from './result/write-result.ts'
import type { MomentReader, RunContext, RunOutcome, SimulateOptions } from './run-context.ts'
import type { Scenario } from './scenario/scenario.ts'
import { simulate } from './simulate.ts'

/** What is told of a run that does not list everybody: for the many runs of a comparison. */
export type Measured = {
  readonly outcome: RunOutcome
  readonly figures: Figures
  readonly expectations: readonly Expectation[]
}

export type { RunResult }

export type ScenarioRun = { readonly outcome: RunOutcome; readonly result: RunResult }

/** Runs a scenario once, keeping everything that the result document tells. */
export function runScenario(scenario: Scenario, options: SimulateOptions = {}): ScenarioRun {
  const book = new ResultBook(scenario)
  const readers = [book.reader, ...(options.readers ?? [])]
  const outcome = simulate(scenario, { ...options, readers })
  return { outcome, result: book.resultOf(outcome) }
}

/** Measures a run. Give `reader` to the run, and ask when it is over. */
export class MeasureBook {
  readonly #lists: readonly Book[]
  readonly #expectations: ExpectationsBook
  #figures: FiguresBook | null = null

  /** `lists` are read along. */
  constructor(scenario: Scenario, lists: readonly Book[] = []) {
    this.#lists = lists
    this.#expectations = new ExpectationsBook(scenario.expect ?? {})
  }

  readonly reader = (context: RunContext): MomentReader => {
    const figures = new FiguresBook(context, [...this.#lists, this.#expectations])
    this.#figures = figures
    return (moment) => figures.read(moment)
  }

  measure(outcome: RunOutcome): Pick<Measured, 'figures' | 'expectations'> {
    const figures = this.#read.figures(outcome)
    return { figures, expectations: this.#expectations.judge(figures) }
  }

  /** Test runs that had not ended when the run broke off. */
  get leftOver(): readonly TestRun[] {
    return this.#read.ledger.leftOver
  }

  get #read(): FiguresBook {
    if (!this.#figures) throw new Error('no run has been read')
    return this.#figures
  }
}

/** Measures a run and lists everybody. Give `reader` to the run, and ask once when it is over. */
export class ResultBook {
  readonly #lists = new ListsBook()
  readonly #measures: MeasureBook

  constructor(scenario: Scenario) {
    this.#measures = new MeasureBook(scenario, [this.#lists])
  }

  get reader(): MeasureBook['reader'] {
    return this.#measures.reader
  }

  resultOf(outcome: RunOutcome): RunResult {
    this.#lists.testRuns.addLeftOver(this.#measures.leftOver)
    const measured = this.#measures.measure(outcome)
    return { ...measured, lists: this.#lists, properties: outcome.properties }
  }
}
