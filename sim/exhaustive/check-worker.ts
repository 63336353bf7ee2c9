/** The entry of a worker thread: runs the cases of a block and checks every property. */

import { failuresOf, type Failure } from '../judge/verdict.ts'
import { judges } from '../judge/judges.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { casesIn, type Block } from './cases.ts'

export type FailedCase = { readonly scenario: Scenario; readonly failures: readonly Failure[] }

export type BlockAnswer = {
  readonly cases: number
  readonly checks: number
  /** The number of failed cases; `first` is the first of them. */
  readonly failed: number
  readonly first: FailedCase | null
}

// The pool needs a default export, or a function of this name.
export function checkWorker(block: Block): BlockAnswer {
  let [cases, checks, failed] = [0, 0, 0]
  let first: FailedCase | null = null
  for (const scenario of casesIn(block)) {
    const outcome = simulate(scenario, { properties: judges, isUnhashed: true })
    const failures = failuresOf({ outcome, expectations: [] }, null)
    cases++
    for (const { checked } of outcome.properties) checks += checked
    if (failures.length === 0) continue
    failed++
    first ??= { scenario, failures }
  }
  return { cases, checks, failed, first }
}
