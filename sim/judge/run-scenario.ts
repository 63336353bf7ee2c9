/** Runs a scenario and collects its result. */

import type { TestRun } from '../../engine/index.ts'
import { ExpectationsProjection } from './expectations.ts'
import type { ResultProjection } from '../result/result-projection.ts'
import { FiguresProjection } from '../result/figures.ts'
import { ListsProjection } from '../result/lists.ts'
import type { Expectation, Figures } from '../result/result-document.ts'
import type { RunResult } from '../result/write-result.ts'
import type { StepReader, RunContext, RunOutcome, SimulateOptions } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'

/** The result of a run without its lists, for comparisons of many runs. */
export type MeasuredRun = {
  readonly outcome: RunOutcome
  readonly figures: Figures
  readonly expectations: readonly Expectation[]
}

export type { RunResult }

export type ScenarioRun = { readonly outcome: RunOutcome; readonly result: RunResult }

/** Runs a scenario once and returns everything that the result document contains. */
export function runScenario(scenario: Scenario, options: SimulateOptions = {}): ScenarioRun {
  const collector = new ResultCollector(scenario)
  const observers = [collector.observer, ...(options.observers ?? [])]
  const outcome = simulate(scenario, { ...options, observers })
  return { outcome, result: collector.resultOf(outcome) }
}

/** Measures a run. Pass `observer` to the run, and call `measure` after it. */
export class MeasurementCollector {
  readonly #lists: readonly ResultProjection[]
  readonly #expectations: ExpectationsProjection
  #figures: FiguresProjection | null = null

  /** `lists` receive the same events as the figures. */
  constructor(scenario: Scenario, lists: readonly ResultProjection[] = []) {
    this.#lists = lists
    this.#expectations = new ExpectationsProjection(scenario.expect ?? {})
  }

  readonly observer = (context: RunContext): StepReader => {
    const figures = new FiguresProjection(context, [...this.#lists, this.#expectations])
    this.#figures = figures
    return (step) => figures.read(step)
  }

  measure(outcome: RunOutcome): Pick<MeasuredRun, 'figures' | 'expectations'> {
    const figures = this.#observed.figures(outcome)
    return { figures, expectations: this.#expectations.judge(figures) }
  }

  /** The test runs that had not ended when the simulation stopped. */
  get leftOver(): readonly TestRun[] {
    return this.#observed.runTracker.leftOver
  }

  get #observed(): FiguresProjection {
    if (!this.#figures) throw new Error('no run was observed')
    return this.#figures
  }
}

/**
 * Measures a run and lists its pull requests and test runs. Pass `observer` to the run, and call
 * `resultOf` once after it.
 */
export class ResultCollector {
  readonly #lists = new ListsProjection()
  readonly #measures: MeasurementCollector

  constructor(scenario: Scenario) {
    this.#measures = new MeasurementCollector(scenario, [this.#lists])
  }

  get observer(): MeasurementCollector['observer'] {
    return this.#measures.observer
  }

  resultOf(outcome: RunOutcome): RunResult {
    this.#lists.testRuns.addLeftOver(this.#measures.leftOver)
    const measured = this.#measures.measure(outcome)
    return { ...measured, lists: this.#lists, properties: outcome.properties }
  }
}
