/** Decides whether a run holds. Exit codes depend only on this decision. */

import type { TraceDifference } from '../run/compare-runs.ts'
import type { Violation } from '../observe/property.ts'
import type { Expectation } from '../result/result-document.ts'
import type { RunOutcome } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'

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

type JudgedOutcome = {
  readonly outcome: Pick<RunOutcome, 'properties'>
  readonly expectations: readonly Expectation[]
}

/** Returns everything that does not hold in a run, without regard to `mustFail`. */
export function failuresOf(
  { outcome, expectations }: JudgedOutcome,
  difference: TraceDifference | null,
): Failure[] {
  const broken = outcome.properties.flatMap(({ name, violations }) =>
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
