/** A shrunk scenario as a file that a developer can read, and keep as a regression test. */

import { isDeepStrictEqual } from 'node:util'
import type { Failure } from '../judge/verdict.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Shrunk } from './shrink.ts'

/** Valid from `reports/failures/` and from any folder below `scenarios/`. */
const schema = '../../scenarios/scenario.schema.json'

const longestName = 80

/** Returns the scenario with a new name and description, and its fields in the order of files. */
export function regressionOf({ scenario, failure }: Shrunk, seed: number): Scenario {
  const { $schema: _schema, name, description: _description, mustFail: _must, ...rest } = scenario
  const stated = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return {
    $schema: schema,
    name: nameOf(name, seed, failure),
    description: descriptionOf(failure),
    ...Object.fromEntries(stated),
  }
}

/** Returns whether two scenarios differ only in name, description and schema location. */
export function isSameScenario(a: Scenario, b: Scenario): boolean {
  return isDeepStrictEqual(bare(a), bare(b))
}

function bare({
  $schema: _schema,
  name: _name,
  description: _description,
  ...rest
}: Scenario): object {
  return rest
}

/** Returns the size of a scenario, for a reader. */
export function sizeOf({ pullRequests = [], events = [] }: Scenario): {
  readonly pullRequests: number
  readonly events: number
} {
  return { pullRequests: pullRequests.length, events: events.length }
}

function nameOf(scenario: string, seed: number, failure: Failure): string {
  const end = `-${seed}-${failure.name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`
  return scenario.slice(0, Math.max(0, longestName - end.length)) + end.slice(0, longestName)
}

function descriptionOf(failure: Failure): string {
  switch (failure.kind) {
    case 'property':
      return `Breaks ${failure.name}: ${failure.violation.story}`
    case 'expectation': {
      const { name, expected, actual } = failure.expectation
      return `Misses ${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}.`
    }
    case 'difference':
      return `Differs when it is run again, after ${failure.difference.sameLines} lines of trace.`
    case 'nothing failed':
      return `${failure.name} was expected to fail, but holds.`
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
