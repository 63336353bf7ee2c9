/** For who works only in its term: the way to the queues while that lasts. */

import type { Enter } from '../queues/entrance.ts'
import type { TermKeeper } from '../timing/term-keeper.ts'

/** What was to be decided in a term that may be over. The server that has it looks for itself. */
export class OutOfTerm extends Error {
  override readonly name = 'OutOfTerm'

  constructor() {
    super('another server may work on the repositories now')
  }
}

/** Whoever stood still and wakes up must not tell what it saw before. */
export function inTerm(enter: Enter, term: Pick<TermKeeper, 'isSure'>): Enter {
  return (kind, work) =>
    enter(kind, (manager) => {
      if (!term.isSure) throw new OutOfTerm()
      return work(manager)
    })
}
