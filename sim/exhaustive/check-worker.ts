/** The entry of a worker thread: looks at small cases, or runs them to their ends and checks every property. */

import { judges } from '../judge/verdict.ts'
import { lookAt } from './look.ts'
import { judgeCases, nothingJudged, type CheckAnswer, type CheckTask } from './search.ts'

// The pool needs a default export, or a function of this name.
export function checkWorker({ of, scope, cases, isJudged }: CheckTask): CheckAnswer {
  return {
    ...{ of, cases: cases.length },
    looks: isJudged ? [] : cases.map((steps) => lookAt({ scope, steps })),
    judged: isJudged ? judgeCases(scope, cases, { judges }) : nothingJudged,
  }
}
