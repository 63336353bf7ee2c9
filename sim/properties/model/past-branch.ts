/**
 * The truth about the target branch as it was at any tip that may still matter: a branch that is
 * kept as far back as the oldest run or bisection under way, and what has merged since.
 */

import type { Truth } from '../../world/truth.ts'
import type { Ledger } from './ledger.ts'
import { oldestTip as lookBack } from './oldest-tip.ts'

export type PastBranch = {
  /** A commit lands: a pull request's, or somebody's push. */
  land(number: number | null): void
  /** Whether the tests would fail on the branch as it was at `tip`, with these on top. */
  wouldBreak(tip: number, added: readonly number[]): boolean
}

/** How many commits may pile up before it is looked which are of no use any more. */
const commitsBetweenLooks = 64

export function pastBranch(truth: Truth, books: Ledger): PastBranch {
  const oldest = truth.emptyBranch()
  let oldestTip = 0
  /** What landed since then, a commit each. */
  const since: (number | null)[] = []
  let nextLook = commitsBetweenLooks

  const forget = (): void => {
    const needed = lookBack(books)
    const gone = since.splice(0, Math.max(0, needed - oldestTip))
    for (const number of gone) if (number !== null) oldest.add(number)
    oldestTip += gone.length
    nextLook = since.length + commitsBetweenLooks
  }

  return {
    wouldBreak(tip, added) {
      const between = since.slice(0, tip - oldestTip).filter((number) => number !== null)
      return oldest.wouldBreak([...between, ...added])
    },
    land(number) {
      since.push(number)
      if (since.length >= nextLook) forget()
    },
  }
}
