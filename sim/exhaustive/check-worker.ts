/** The entry of a worker thread: looks at small cases, or runs them to their ends and checks every property. */

import { judges } from '../judge/verdict.ts'
import { lookAt, type Look } from './look.ts'
import type { Scope } from './scopes.ts'
import { judgeCases, nothingJudged, type Judged, type Steps } from './search.ts'

export type CheckTask = {
  /** Which search the cases belong to. */
  readonly of: number
  readonly scope: Scope
  readonly cases: readonly Steps[]
  /** They are run to their ends; otherwise only looked at. */
  readonly isJudged: boolean
}

export type CheckAnswer = {
  readonly of: number
  readonly cases: number
  readonly looks: readonly Look[]
  readonly judged: Judged
}

// The pool needs a default export, or a function of this name.
export function checkWorker({ of, scope, cases, isJudged }: CheckTask): CheckAnswer {
  return {
    ...{ of, cases: cases.length },
    looks: isJudged ? [] : cases.map((steps) => lookAt({ scope, steps })),
    judged: isJudged ? judgeCases(scope, cases, { judges }) : nothingJudged,
  }
}
