/** Runs one scenario with one seed, compares it with a second run, measures and judges it. */

import { runningTwice, type TraceDifference } from '../run/compare-runs.ts'
import type { Property } from '../observe/property.ts'
import type { RunResult } from './run-scenario.ts'
import { ResultCollector } from './run-scenario.ts'
import type { SimulateOptions } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { drained, simulating, type Steps } from '../run/simulate.ts'
import { failuresOf, judge, type Failure } from './verdict.ts'

export type JudgedRun = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly difference: TraceDifference | null
  /** The failures; empty if the run holds. */
  readonly failures: readonly Failure[]
}

export type JudgeOptions = {
  readonly properties: readonly Property[]
  /** True to skip the second run that checks determinism. */
  readonly once: boolean
  readonly onTrace?: NonNullable<SimulateOptions['onTrace']>
  readonly onViolation?: NonNullable<SimulateOptions['onViolation']>
  /** Further observers of the run. */
  readonly observers?: NonNullable<SimulateOptions['observers']>
}

export function runAndJudge(scenario: Scenario, judgeOptions: JudgeOptions): JudgedRun {
  return drained(runningAndJudging(scenario, judgeOptions))
}

/** Does the same in steps, so that the caller can interrupt it. */
export function* runningAndJudging(
  scenario: Scenario,
  judgeOptions: JudgeOptions,
): Steps<JudgedRun> {
  const { once, observers = [], ...options } = judgeOptions
  const collector = new ResultCollector(scenario)
  const { observer, onRejection } = collector
  const watched = { ...options, onRejection, observers: [observer, ...observers] }
  const { outcome, difference } = once
    ? { outcome: yield* simulating(scenario, watched), difference: null }
    : yield* runningTwice(scenario, watched)
  const result = collector.resultOf(outcome)
  const { expectations } = result
  const failures = judge(scenario, failuresOf({ outcome, expectations }, difference))
  return { scenario, result, difference, failures }
}
