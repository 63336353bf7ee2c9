/** Chapter "Bisection": failures that are run once more (E-80, E-81). */

import type { Bisection, Finding, Model } from '../state/state.ts'

/** E-80: only tests known to flake failed. */
export function isOnlyFlakes(model: Model, { failure, isConfirmed }: Finding): boolean {
  const tests = failure?.tests ?? []
  return !isConfirmed && tests.length > 0 && tests.every((test) => model.flakyTests.has(test))
}

/** E-80, E-81: whether one more run comes before the conviction. */
export function isDoubtful(model: Model, finding: Finding): boolean {
  const { failure, isConfirmed, isOfBatch, run } = finding
  if (isConfirmed) return false
  if (isOnlyFlakes(model, finding)) return true
  if (failure?.reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return true
  const contradicted = model.verdicts.filter((verdict) => verdict.isContradicted)
  if (contradicted.some((verdict) => verdict.run === run)) return true
  if (!isOfBatch) return false
  const isFlaky = failure.tests.some((test) => model.flakyTests.has(test))
  return isFlaky || contradicted.length * 100 > model.verdicts.length
}

/** E-81: only the run of the batch speaks, once, and nothing demands a confirmation. */
export function isLeftToSecondLook(model: Model, of: Bisection, finding: Finding): boolean {
  return isWorthIt(of, finding) && !isDoubtful(model, finding)
}

/** It is the only failure of the bisection. */
export function isWorthIt({ findings }: Bisection, finding: Finding): boolean {
  const failures = findings.filter(({ passed }) => !passed)
  return finding.isOfBatch && !finding.isConfirmed && failures.length === 1
}
