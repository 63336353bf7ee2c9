/** Decides whether a run holds. Exit codes depend only on this decision. */

import type { Property, Violation } from '../observe/property.ts'
import { properties as builtIn } from '../properties/index.ts'
import { relations } from '../relations/relations.ts'
import type { TraceDifference } from '../run/simulate.ts'
import type { Expectation } from '../result/result-document.ts'
import type { PropertyResult } from '../observe/findings.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { count, duration, firstFew } from '../../server/terminal/text.ts'
import { agreesWithTheModel } from './agrees-with-the-model.ts'

// What judges a run.

/** The properties and the model: what every run is judged by that is not very long. */
export const judges: readonly Property[] = [...builtIn, agreesWithTheModel]

/** The model costs more with each pull request, so it is left out of longer runs (S-77). */
export function judgesOf(pullRequests: number, modelUpTo: number): readonly Property[] {
  return pullRequests <= modelUpTo ? judges : builtIn
}

/** And the relations, each of which costs as much as the run itself. */
export const allJudges: readonly Property[] = [...judges, ...relations]

/** A reason why a run does not hold. */
export type Failure =
  | { readonly kind: 'property'; readonly name: string; readonly violation: Violation }
  | { readonly kind: 'expectation'; readonly name: string; readonly expectation: Expectation }
  /** The second run of the same scenario differed. */
  | {
      readonly kind: 'difference'
      readonly name: 'deterministic'
      readonly difference: TraceDifference
    }
  /** A scenario with `mustFail` did not fail. */
  | { readonly kind: 'nothing failed'; readonly name: string }

/** Returns everything that does not hold in a run, without regard to `mustFail`. */
export function failuresOf(
  properties: readonly PropertyResult[],
  expectations: readonly Expectation[] = [],
  difference: TraceDifference | null = null,
): Failure[] {
  const broken = properties.flatMap(({ name, violations }) =>
    violations.map((violation): Failure => ({ kind: 'property', name, violation })),
  )
  const missed = expectations
    .filter(({ holds }) => !holds)
    .map((expectation): Failure => {
      const { name } = expectation
      return { kind: 'expectation', name, expectation }
    })
  const differs: Failure[] = difference
    ? [{ kind: 'difference', name: 'deterministic', difference }]
    : []
  return [...differs, ...broken, ...missed]
}

/**
 * Returns the failures that count. A scenario with `mustFail` holds if exactly that property or
 * expectation fails and no other.
 */
export function judge({ mustFail }: Scenario, failures: readonly Failure[]): Failure[] {
  if (mustFail === undefined) return [...failures]
  const others = failures.filter(({ name }) => name !== mustFail)
  const failed = others.length < failures.length
  return failed ? others : [...others, { kind: 'nothing failed', name: mustFail }]
}

// Describes failures as text.

/** Describes a failure: what broke, when, with which pull requests, and the evidence. */
export function storyOf(failure: Failure): string {
  switch (failure.kind) {
    case 'property': {
      const { atMinutes, sequence, story, pullRequests } = failure.violation
      const when = `at minute ${rounded(atMinutes)} (${duration(atMinutes)} in), event ${sequence}`
      const about = pullRequests.length > 0 ? `\n  pull requests: ${firstFew(pullRequests)}` : ''
      return `BROKEN  ${failure.name}  ${when}\n  ${story}${about}`
    }
    case 'expectation': {
      const { expected, actual } = failure.expectation
      return `MISSED  ${failure.name}\n  expected ${valueText(expected)}, got ${valueText(actual)}`
    }
    case 'difference': {
      const { sameLines, first, second } = failure.difference
      return (
        `DIFFERS  two runs of the same scenario differ after ${sameLines} lines of trace\n` +
        `  first   ${first ?? 'had ended'}\n  second  ${second ?? 'had ended'}`
      )
    }
    case 'nothing failed':
      return `HOLDS  ${failure.name} was expected to fail here, but holds`
  }
}

const itemsShown = 20

/** Formats a value as JSON; a long list is shortened to its first items and a count. */
function valueText(value: unknown): string {
  if (!Array.isArray(value) || value.length <= itemsShown) return JSON.stringify(value)
  const shown = JSON.stringify(value.slice(0, itemsShown)).slice(1, -1)
  return `[${shown}, and ${count(value.length - itemsShown)} more]`
}

/** Rounds to three digits, which is precise enough to find the instant in a trace. */
function rounded(minutes: number): number {
  return Math.round(minutes * 1000) / 1000
}
