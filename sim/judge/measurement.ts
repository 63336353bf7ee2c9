/** Measures a run without keeping lists, so it needs no files and runs in a browser as well. */

import type { TestRun } from '../../engine/index.ts'
import type { StepReader, RunContext, RunOutcome, SimulateOptions } from '../observe/run-context.ts'
import { FiguresProjection } from '../result/figures.ts'
import type { Expectation, Figures } from '../result/result-document.ts'
import type { ResultProjection } from '../result/result-projection.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { ExpectationsProjection } from './expectations.ts'

/** The result of a run without its lists, for comparisons of many runs. */
export type MeasuredRun = {
  readonly outcome: RunOutcome
  readonly figures: Figures
  readonly expectations: readonly Expectation[]
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

  readonly onRejection: NonNullable<SimulateOptions['onRejection']> = (command, rejection) =>
    this.#expectations.onRefusal(command, rejection)

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
