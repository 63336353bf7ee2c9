/** Whether a scenario breaks in a given way, found out with as little work as can be. */

import type { Parts } from '../../engine/index.ts'
import { failuresOf, type Failure } from '../command-line/verdict.ts'
import { runTwice } from '../compare-runs.ts'
import { properties } from '../properties/index.ts'
import type { Property } from '../properties/property.ts'
import { relations } from '../relations/index.ts'
import { MeasureBook } from '../run-scenario.ts'
import type { SimulateOptions } from '../run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { Simulation } from '../simulation.ts'
import { breakageOf, isSame, type Breakage } from './breakage.ts'

export type Attempt = {
  /** The failure that was looked for; undefined when the scenario does not break that way. */
  readonly failure: Failure | undefined
  /** How many events the engine made: what the attempt cost. */
  readonly events: number
}

/** Runs the scenario until it breaks that way, or to its end. */
export function reproduce(scenario: Scenario, breakage: Breakage, parts?: Parts): Attempt {
  const made = parts ? { parts } : {}
  const { failures, events } = attempts[breakage.kind](scenario, breakage, made)
  return { failure: failures.find((each) => isSame(breakageOf(each), breakage)), events }
}

type Run = { readonly failures: readonly Failure[]; readonly events: number }
type Made = Pick<SimulateOptions, 'parts'>

const attempts: {
  readonly [Kind in Failure['kind']]: (scenario: Scenario, breakage: Breakage, made: Made) => Run
} = {
  property: breakProperty,
  expectation: missExpectation,
  difference: differ,
  'nothing failed': () => ({ failures: [], events: 0 }),
}

/** Only the property in question watches, and the run is over once it has something to say. */
function breakProperty(scenario: Scenario, { name }: Breakage, made: Made): Run {
  const heard = { isBroken: false }
  const watched = [...properties, ...relations]
    .filter((property) => property.name === name)
    .map((property) => telling(property, () => void (heard.isBroken = true)))
  const simulation = new Simulation(scenario, { ...made, properties: watched })
  while (!heard.isBroken && simulation.step());
  const outcome = simulation.outcome()
  return { failures: failuresOf({ outcome, expectations: [] }, null), events: outcome.events }
}

function telling(property: Property, onViolation: () => void): Property {
  return {
    ...property,
    watch: (setting, findings) =>
      property.watch(setting, {
        check: () => findings.check(),
        violate(found) {
          findings.violate(found)
          onViolation()
        },
      }),
  }
}

function missExpectation(scenario: Scenario, _breakage: Breakage, made: Made): Run {
  const book = new MeasureBook(scenario)
  const simulation = new Simulation(scenario, { ...made, readers: [book.reader] })
  while (simulation.step());
  const outcome = simulation.outcome()
  const { expectations } = book.measure(outcome)
  return { failures: failuresOf({ outcome, expectations }, null), events: outcome.events }
}

function differ(scenario: Scenario, _breakage: Breakage, made: Made): Run {
  const { outcome, difference } = runTwice(scenario, made)
  return {
    failures: failuresOf({ outcome, expectations: [] }, difference),
    events: 2 * outcome.events,
  }
}
