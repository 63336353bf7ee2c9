/** Runs a scenario and collects its result. */

import type { Property } from '../observe/property.ts'
import type { RunOutcome, SimulateOptions } from '../observe/run-context.ts'
import { properties as builtIn } from '../properties/index.ts'
import { ListsProjection, resultDocument, type RunResult } from '../result/write-result.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { simulate, drained, simulating, runningTwice } from '../run/simulate.ts'
import type { Steps, TraceDifference } from '../run/simulate.ts'
import { checkScenario } from '../scenario/check.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { MeasurementCollector } from './measurement.ts'
import { failuresOf, judge, judges, type Failure } from './verdict.ts'

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
export class ResultCollector extends MeasurementCollector {
  readonly #lists: ListsProjection

  constructor(scenario: Scenario) {
    const lists = new ListsProjection()
    super(scenario, [lists])
    this.#lists = lists
  }

  resultOf(outcome: RunOutcome): RunResult {
    const { lists } = this.#lists
    return { ...this.measure(outcome), lists, properties: outcome.properties }
  }
}

/** Runs a scenario once, and only judges it: by all properties and the model, unless others are given. */
export function judgedOnce(
  scenario: Scenario,
  { properties = judges, parts }: Pick<SimulateOptions, 'properties' | 'parts'> = {},
): { readonly properties: RunOutcome['properties']; readonly failures: readonly Failure[] } {
  const options = { properties, isUnhashed: true, ...(parts ? { parts } : {}) }
  const { properties: judged } = simulate(scenario, options)
  return { properties: judged, failures: failuresOf(judged) }
}

/** Running a scenario from a program of one's own: one call, one document. */
export type SimulateScenarioOptions = {
  /** Replaces the seed of the scenario, which is 1 unless the scenario says otherwise. */
  readonly seed?: number
  /** The properties to check. Default: all properties of Mergeyard. Add your own to `properties`. */
  readonly properties?: readonly Property[]
}

/**
 * Runs a scenario once, from its first submission until nothing is left to do, and returns the
 * document that `mergeyard sim <file> --json` prints. Times in it are minutes from the start.
 *
 * A property that does not hold is no exception: it is listed under `properties`, with its
 * violations. The same scenario and seed give the same document on every machine.
 *
 * Throws `BadInput`, with a line for each fault, when the scenario does not fit
 * `scenario.schema.json`.
 */
export function simulateScenario(
  scenario: Scenario,
  { seed, properties = builtIn }: SimulateScenarioOptions = {},
): ResultDocument {
  const checked = checkScenario(scenario, scenario.name)
  const seeded = seed === undefined ? checked : { ...checked, seed }
  return resultDocument(runScenario(seeded, { properties }).result)
}

// Runs one scenario with one seed, compares it with a second run, measures and judges it.

export type JudgedRun = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly difference: TraceDifference | null
  /** The failures; empty if the run holds. */
  readonly failures: readonly Failure[]
}

type JudgeOptions = {
  readonly properties: readonly Property[]
  /** True to skip the second run that checks determinism. */
  readonly once: boolean
  readonly onTrace?: NonNullable<SimulateOptions['onTrace']>
  readonly onViolation?: NonNullable<SimulateOptions['onViolation']>
  /** Further observers of the run. */
  readonly observers?: NonNullable<SimulateOptions['observers']>
  /** Is called with refused commands, beside the judge. */
  readonly onRejection?: NonNullable<SimulateOptions['onRejection']>
}

export function runAndJudge(scenario: Scenario, judgeOptions: JudgeOptions): JudgedRun {
  return drained(runningAndJudging(scenario, judgeOptions))
}

/** Does the same in steps, so that the caller can interrupt it. */
export function* runningAndJudging(
  scenario: Scenario,
  judgeOptions: JudgeOptions,
): Steps<JudgedRun> {
  const { once, observers = [], onRejection: onRefused, ...options } = judgeOptions
  const collector = new ResultCollector(scenario)
  const { observer } = collector
  const onRejection: JudgeOptions['onRejection'] = (command, rejection) => {
    collector.onRejection(command, rejection)
    onRefused?.(command, rejection)
  }
  const watched = { ...options, onRejection, observers: [observer, ...observers] }
  const { outcome, difference } = once
    ? { outcome: yield* simulating(scenario, watched), difference: null }
    : yield* runningTwice(scenario, watched)
  const result = collector.resultOf(outcome)
  const { expectations } = result
  const failures = judge(scenario, failuresOf(outcome.properties, expectations, difference))
  return { scenario, result, difference, failures }
}
