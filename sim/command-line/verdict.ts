/** Whether a run holds, and if not, why: the one place that decides about exit codes. */

import type { Difference } from '../compare-runs.ts'
import type { Violation } from '../properties/property.ts'
import type { Expectation } from '../result/result-document.ts'
import type { RunOutcome } from '../run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** One thing that does not hold. */
export type Failure =
  | { readonly kind: 'property'; readonly name: string; readonly violation: Violation }
  | { readonly kind: 'expectation'; readonly name: string; readonly expectation: Expectation }
  /** The second run of the very same scenario went another way. */
  | { readonly kind: 'difference'; readonly name: 'deterministic'; readonly difference: Difference }
  /** A scenario that must fail did not. */
  | { readonly kind: 'nothing failed'; readonly name: string }

type Judged = {
  readonly outcome: Pick<RunOutcome, 'properties'>
  readonly expectations: readonly Expectation[]
}

/** Everything that does not hold in a run, whatever the scenario wants. */
export function failuresOf(
  { outcome, expectations }: Judged,
  difference: Difference | null,
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
 * What makes the scenario fail. One with `mustFail` holds exactly when that property or
 * expectation fails, and nothing else does.
 */
export function judge({ mustFail }: Scenario, failures: readonly Failure[]): Failure[] {
  if (mustFail === undefined) return [...failures]
  const others = failures.filter(({ name }) => name !== mustFail)
  const failed = others.length < failures.length
  return failed ? others : [...others, { kind: 'nothing failed', name: mustFail }]
}
