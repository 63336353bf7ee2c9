/** What is left of shrinking as a scenario file that a person reads, and may keep. */

import { isDeepStrictEqual } from 'node:util'
import type { Failure } from '../command-line/verdict.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Shrunk } from './shrink.ts'

/** Right from `reports/failures/` as well as from a folder below `scenarios/`. */
const schema = '../../scenarios/scenario.schema.json'

const longestName = 80

/** The scenario with a name and a description of its own, in the order in which files are written. */
export function regressionOf({ scenario, failure }: Shrunk, seed: number): Scenario {
  const { $schema: _schema, name, description: _description, mustFail: _must, ...rest } = scenario
  const said = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return {
    $schema: schema,
    name: nameOf(name, seed, failure),
    description: descriptionOf(failure),
    ...Object.fromEntries(said),
  }
}

/** Whether two scenarios differ in nothing but what they are called. */
export function isAlike(a: Scenario, b: Scenario): boolean {
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

/** How much of a scenario is left to look at. */
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
      return `Misses ${name}: expected ${JSON.stringify(expected)}, came ${JSON.stringify(actual)}.`
    }
    case 'difference':
      return `Goes another way when it is run again, after ${failure.difference.sameLines} lines of trace.`
    case 'nothing failed':
      return `${failure.name} was to fail, and did not.`
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
