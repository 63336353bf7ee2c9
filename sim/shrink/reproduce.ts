/** Checks with as little work as possible whether a scenario fails in a given way. */

import type { EngineParts } from '../../engine/index.ts'
import { failuresOf, type Failure } from '../judge/verdict.ts'
import { runTwice } from '../run/compare-runs.ts'
import { allJudges } from '../judge/judges.ts'
import { MeasurementCollector } from '../judge/measurement.ts'
import type { SimulateOptions } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { Simulation } from '../run/simulation.ts'
import { breakageOf, isSame, type Breakage } from './breakage.ts'

export type Attempt = {
  /** The expected failure; undefined if the scenario does not fail in that way. */
  readonly failure: Failure | undefined
  /** The number of events of the engine, which is the cost of the attempt. */
  readonly events: number
}

/** Runs the scenario until it fails in that way, or to its end. */
export function reproduce(scenario: Scenario, breakage: Breakage, parts?: EngineParts): Attempt {
  const options = parts ? { parts } : {}
  const { failures, events } = attempts[breakage.kind](scenario, breakage, options)
  return { failure: failures.find((each) => isSame(breakageOf(each), breakage)), events }
}

type Run = { readonly failures: readonly Failure[]; readonly events: number }
type ReproduceOptions = Pick<SimulateOptions, 'parts'>

const attempts: {
  readonly [Kind in Failure['kind']]: (
    scenario: Scenario,
    breakage: Breakage,
    options: ReproduceOptions,
  ) => Run
} = {
  property: breakProperty,
  expectation: missExpectation,
  difference: differ,
  'nothing failed': () => ({ failures: [], events: 0 }),
}

/** Checks only the property of the failure, and stops the run at its first violation. */
function breakProperty(scenario: Scenario, { name }: Breakage, options: ReproduceOptions): Run {
  const watched = allJudges.filter((property) => property.name === name)
  const seen = { isBroken: false }
  const onViolation = (): void => void (seen.isBroken = true)
  const simulation = new Simulation(scenario, { ...options, properties: watched, onViolation })
  while (!seen.isBroken && simulation.step());
  const outcome = simulation.outcome()
  return { failures: failuresOf({ outcome, expectations: [] }, null), events: outcome.events }
}

function missExpectation(scenario: Scenario, _breakage: Breakage, options: ReproduceOptions): Run {
  const collector = new MeasurementCollector(scenario)
  const simulation = new Simulation(scenario, { ...options, observers: [collector.observer] })
  while (simulation.step());
  const outcome = simulation.outcome()
  const { expectations } = collector.measure(outcome)
  return { failures: failuresOf({ outcome, expectations }, null), events: outcome.events }
}

function differ(scenario: Scenario, _breakage: Breakage, options: ReproduceOptions): Run {
  const { outcome, difference } = runTwice(scenario, options)
  return {
    failures: failuresOf({ outcome, expectations: [] }, difference),
    events: 2 * outcome.events,
  }
}
