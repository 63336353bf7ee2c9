/** The entry of a worker thread: searches one scope and checks every property. */

import { judges } from '../judge/judges.ts'
import type { Scope } from './scopes.ts'
import { search, type Searched } from './search.ts'

// The pool needs a default export, or a function of this name.
export function checkWorker(scope: Scope): Searched {
  return search(scope, { judges })
}
