/**
 * The truth about the target branch as it was at any tip that may still matter: the branch at the
 * oldest tip that a run or bisection refers to, and the commits since then.
 */

import type { Truth } from '../world/truth.ts'

export type PastBranch = {
  /** Adds a commit: the number of a pull request, or null for a push. */
  land(number: number | null): void
  /**
   * Whether the tests would fail on the branch as it was at `tip`, with these pull requests added.
   */
  wouldBreak(tip: number, added: readonly number[]): boolean
}

/** After so many commits, those that no run needs any more are merged into `oldest`. */
const commitsBetweenCleanups = 64

/** `tipNeeded` returns the oldest tip that a run or bisection refers to. */
export function pastBranch(truth: Truth, tipNeeded: () => number): PastBranch {
  const oldest = truth.emptyBranch()
  let oldestTip = 0
  /** The commits since `oldestTip`. */
  const since: (number | null)[] = []
  let nextCleanup = commitsBetweenCleanups

  const forget = (): void => {
    const gone = since.splice(0, Math.max(0, tipNeeded() - oldestTip))
    for (const number of gone) if (number !== null) oldest.add(number)
    oldestTip += gone.length
    nextCleanup = since.length + commitsBetweenCleanups
  }

  return {
    wouldBreak(tip, added) {
      const between = since.slice(0, tip - oldestTip).filter((number) => number !== null)
      return oldest.wouldBreak([...between, ...added])
    },
    land(number) {
      since.push(number)
      if (since.length >= nextCleanup) forget()
    },
  }
}
