/** The entry of a worker thread: the cases of a block, every property watching. */

import { failuresOf, type Failure } from '../command-line/verdict.ts'
import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../simulate.ts'
import { casesIn, type Block } from './cases.ts'

export type FailedCase = { readonly scenario: Scenario; readonly failures: readonly Failure[] }

export type BlockAnswer = {
  readonly cases: number
  readonly checks: number
  /** How many failed, and the first of them. */
  readonly failed: number
  readonly first: FailedCase | null
}

// The pool wants a default export, or a function of this name.
export function checkWorker(block: Block): BlockAnswer {
  let [cases, checks, failed] = [0, 0, 0]
  let first: FailedCase | null = null
  for (const scenario of casesIn(block)) {
    const outcome = simulate(scenario, { properties, isUnhashed: true })
    const failures = failuresOf({ outcome, expectations: [] }, null)
    cases++
    for (const { checked } of outcome.properties) checks += checked
    if (failures.length === 0) continue
    failed++
    first ??= { scenario, failures }
  }
  return { cases, checks, failed, first }
}
