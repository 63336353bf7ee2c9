/** One scenario with one seed: run, compared with itself, measured and judged. */

import { runTwice, type Difference } from '../compare-runs.ts'
import type { Property } from '../properties/property.ts'
import type { RunResult } from '../run-scenario.ts'
import { ResultBook } from '../run-scenario.ts'
import type { SimulateOptions } from '../run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../simulate.ts'
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
  readonly onTrace?: SimulateOptions['onTrace']
  /** Reads the run along. */
  readonly reader?: NonNullable<SimulateOptions['readers']>[number]
}

export function runAndJudge(scenario: Scenario, wish: RunWish): JudgedRun {
  const { once, onTrace, properties, reader } = wish
  const book = new ResultBook(scenario)
  const readers = reader ? [book.reader, reader] : [book.reader]
  const options = { properties, readers, ...(onTrace ? { onTrace } : {}) }
  const { outcome, difference } = once
    ? { outcome: simulate(scenario, options), difference: null }
    : runTwice(scenario, options)
  const result = book.resultOf(outcome)
  const { expectations } = result
  const failures = judge(scenario, failuresOf({ outcome, expectations }, difference))
  return { scenario, result, difference, failures }
}
