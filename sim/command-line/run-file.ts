/** One scenario with one seed: run, compared with itself, measured and judged. */

import { runningTwice, type Difference } from '../compare-runs.ts'
import type { Property } from '../properties/property.ts'
import type { RunResult } from '../run-scenario.ts'
import { ResultBook } from '../run-scenario.ts'
import type { SimulateOptions } from '../run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { drained, simulating, type Steps } from '../simulate.ts'
import { failuresOf, judge, type Failure } from './verdict.ts'

export type JudgedRun = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly difference: Difference | null
  /** What makes it fail; empty when it holds. */
  readonly failures: readonly Failure[]
}

export type RunWish = {
  readonly properties: readonly Property[]
  /** Without a second run to compare with. */
  readonly once: boolean
  readonly onTrace?: NonNullable<SimulateOptions['onTrace']>
  readonly onViolation?: NonNullable<SimulateOptions['onViolation']>
  /** Read the run along. */
  readonly readers?: NonNullable<SimulateOptions['readers']>
}

export function runAndJudge(scenario: Scenario, wish: RunWish): JudgedRun {
  return drained(runningAndJudging(scenario, wish))
}

/** The same, a step at a time. */
export function* runningAndJudging(scenario: Scenario, wish: RunWish): Steps<JudgedRun> {
  const { once, readers = [], ...options } = wish
  const book = new ResultBook(scenario)
  const watched = { ...options, readers: [book.reader, ...readers] }
  const { outcome, difference } = once
    ? { outcome: yield* simulating(scenario, watched), difference: null }
    : yield* runningTwice(scenario, watched)
  const result = book.resultOf(outcome)
  const { expectations } = result
  const failures = judge(scenario, failuresOf({ outcome, expectations }, difference))
  return { scenario, result, difference, failures }
}
