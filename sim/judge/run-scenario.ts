/** Runs a scenario and collects its result. */

import type { RunOutcome, SimulateOptions } from '../observe/run-context.ts'
import { ListsProjection } from '../result/lists.ts'
import type { RunResult } from '../result/write-result.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { MeasurementCollector } from './measurement.ts'

export type { RunResult }

export type ScenarioRun = { readonly outcome: RunOutcome; readonly result: RunResult }

/** Runs a scenario once and returns everything that the result document contains. */
export function runScenario(scenario: Scenario, options: SimulateOptions = {}): ScenarioRun {
  const collector = new ResultCollector(scenario)
  const observers = [collector.observer, ...(options.observers ?? [])]
  const { onRejection } = collector
  const outcome = simulate(scenario, { onRejection, ...options, observers })
  return { outcome, result: collector.resultOf(outcome) }
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

  get onRejection(): MeasurementCollector['onRejection'] {
    return this.#measures.onRejection
  }

  resultOf(outcome: RunOutcome): RunResult {
    this.#lists.testRuns.addLeftOver(this.#measures.leftOver)
    const measured = this.#measures.measure(outcome)
    return { ...measured, lists: this.#lists, properties: outcome.properties }
  }
}
