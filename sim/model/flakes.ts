/** Chapter "Bisection": flakes, and failures that are run once more (E-80 to E-82, E-141). */

import { isSame } from './groups.ts'
import type { Bisection, Model, Result } from './state.ts'

/** E-82: one composition, two outcomes or other failed tests. */
export function record(model: Model, result: Result): void {
  for (const other of model.verdicts.filter((each) => isSame(each.contents, result.contents))) {
    const [failed, ...more] = [other, result].filter(({ reason }) => reason !== null)
    if (failed && more.length === 0) failed.run.isContradicted = true
    const inBoth = other.tests.filter((test) => result.tests.includes(test))
    for (const test of [...other.tests, ...result.tests]) {
      if (!inBoth.includes(test)) model.flakyTests.add(test)
    }
  }
  model.verdicts = [...model.verdicts, result].slice(-100)
}

/** E-80: only tests known to flake failed. */
export function isOnlyFlakes({ flakyTests }: Model, { tests, isConfirmed }: Result): boolean {
  return !isConfirmed && tests.length > 0 && tests.every((test) => flakyTests.has(test))
}

/** E-80, E-81: whether one more run comes before the conviction. */
export function isDoubtful(model: Model, failure: Result): boolean {
  const { reason, isConfirmed, run, tests } = failure
  if (isConfirmed) return false
  if (isOnlyFlakes(model, failure) || reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED') return true
  const contradicted = model.verdicts.filter((verdict) => verdict.run.isContradicted)
  if (contradicted.some((verdict) => verdict.run === run)) return true
  // The failed run of the batch.
  if (run.of !== null) return false
  const isFlaky = tests.some((test) => model.flakyTests.has(test))
  return isFlaky || contradicted.length * 100 > model.verdicts.length
}

/** E-141: only the run of the batch speaks, and it was made once. */
export function isWorthALook({ findings }: Bisection, { run, isConfirmed }: Result): boolean {
  const failures = findings.filter(({ reason }) => reason !== null)
  return run.of === null && !isConfirmed && failures.length === 1
}

/** E-141: nothing else demands a confirmation. */
export const isLeftToALook = (model: Model, bisection: Bisection, failure: Result): boolean =>
  isWorthALook(bisection, failure) && !isDoubtful(model, failure)
