/** Checks with as little work as possible whether a scenario fails in a given way. */

import { isDeepStrictEqual } from 'node:util'
import { type Failure, failuresOf, allJudges } from '../judge/verdict.ts'
import type { Expectation } from '../result/result-document.ts'
import { isList, type Scenario } from '../scenario/scenario.ts'
import type { EngineParts } from '../../engine/index.ts'
import { runTwice, simulate } from '../run/simulate.ts'
import { MeasurementCollector } from '../judge/measurement.ts'
import type { SimulateOptions } from '../observe/run-context.ts'
import { Simulation } from '../run/simulation.ts'

// The failure that a smaller scenario must still show: the same property or expectation, in the
// same way. Without this condition, shrinking could move from one fault to another.

export type Breakage = {
  readonly kind: Failure['kind']
  /** The name of the property or expectation. */
  readonly name: string
  /** The way in which it failed, if it can fail in several ways; else empty. */
  readonly variant: string
}

/**
 * Returns the failure to shrink: a difference between two runs, else the earliest violation, from
 * which the others may follow, else a missed expectation.
 */
export function firstFailure(failures: readonly Failure[]): Failure | undefined {
  const differs = failures.find(({ kind }) => kind === 'difference')
  if (differs) return differs
  let first: Extract<Failure, { kind: 'property' }> | undefined
  for (const failure of failures) {
    if (failure.kind !== 'property') continue
    if (!first || failure.violation.sequence < first.violation.sequence) first = failure
  }
  return first ?? failures.find(({ kind }) => kind === 'expectation')
}

export function breakageOf(failure: Failure): Breakage {
  const { kind, name } = failure
  return { kind, name, variant: variantOf(failure) }
}

/** Exceptions are distinguished by their message without its numbers. */
function variantOf(failure: Failure): string {
  if (failure.kind === 'expectation') return sideOf(failure.expectation)
  const isException = failure.kind === 'property' && failure.name === 'engine-does-not-throw'
  return isException ? failure.violation.story.replaceAll(/\d+/g, '#') : ''
}

/** The side on which an expectation is missed. With fewer pull requests most are missed anyway. */
function sideOf({ expected, actual }: Expectation): string {
  if (isList(expected) && isList(actual)) {
    const isMissing = expected.some((number) => !actual.includes(number))
    const isExtra = actual.some((number) => !expected.includes(number))
    return `${isMissing ? 'missing' : ''}${isExtra ? 'extra' : ''}`
  }
  if (typeof actual !== 'number') return String(actual)
  return actual < leastOf(expected) ? 'below' : 'above'
}

function leastOf(expected: unknown): number {
  if (typeof expected === 'number') return expected
  const isBounded = typeof expected === 'object' && expected !== null && 'min' in expected
  return isBounded && typeof expected.min === 'number' ? expected.min : -Infinity
}

type Attempt = {
  /** The expected failure; undefined if the scenario does not fail in that way. */
  readonly failure: Failure | undefined
  /** The number of events of the engine, which is the cost of the attempt. */
  readonly events: number
}

/** Runs the scenario until it fails in that way, or to its end. */
export function reproduce(scenario: Scenario, breakage: Breakage, parts?: EngineParts): Attempt {
  const options = parts ? { parts } : {}
  const { failures, events } = attempts[breakage.kind](scenario, breakage, options)
  return { failure: failures.find((each) => isDeepStrictEqual(breakageOf(each), breakage)), events }
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
  return { failures: failuresOf(outcome.properties), events: outcome.events }
}

function missExpectation(scenario: Scenario, _breakage: Breakage, options: ReproduceOptions): Run {
  const collector = new MeasurementCollector(scenario)
  const outcome = simulate(scenario, { ...options, observers: [collector.observer] })
  const { expectations } = collector.measure(outcome)
  return { failures: failuresOf(outcome.properties, expectations), events: outcome.events }
}

function differ(scenario: Scenario, _breakage: Breakage, options: ReproduceOptions): Run {
  const { outcome, difference } = runTwice(scenario, options)
  const failures = failuresOf(outcome.properties, [], difference)
  return { failures, events: 2 * outcome.events }
}
