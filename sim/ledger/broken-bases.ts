/**
 * Runs that were made on a broken branch or base, for a reason that the rules allow. No test can show
 * then which pull request breaks it. Rules: E-49, E-110, E-111.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Branch } from '../world/truth.ts'
import type { Line } from './line.ts'
import type { Projection } from './projection.ts'
import type { RunRecord } from './test-runs.ts'

export type BrokenBases = Projection & {
  /** Whether a run on top of it has cleared it, and none of its own. */
  isCleared(number: PullRequestNumber): boolean
  /**
   * The branch on which the run was made may be broken: by a merge by hand, by one that E-111 excepts,
   * or by half a batch of another lane. The base of the run may be broken as well, if it holds one
   * that a person merged meanwhile, one that was merging while a person merged another, or one that
   * a successor cleared and another lane repairs.
   */
  isBelow(record: RunRecord): boolean
}

/** Reads the line as it was before an event, so it is updated before the line. */
export function brokenBases(line: Line, trueBranch: Branch): BrokenBases {
  const cleared = new Set<PullRequestNumber>()
  /**
   * Merged by a person. Runs on top of them continue if they were the very next to merge (E-110). And
   * those whose merging had begun at that time: they merge untested on what the person merged.
   */
  const byHand = new Set<PullRequestNumber>()
  return {
    isCleared: (number) => cleared.has(number),
    isBelow({ run }) {
      if (trueBranch.wouldBreak([], run.tip)) return true
      const isException = (other: number): boolean => cleared.has(other) || byHand.has(other)
      const below = [...run.base, ...run.tested.filter(isException)]
      return below.some(isException) && trueBranch.wouldBreak(below, run.tip)
    },
    on: {
      groupPassed({ group, run }) {
        const isOwn = run.owner.kind === 'main' && run.owner.group === group
        for (const number of line.group(group)?.members ?? []) {
          if (isOwn) cleared.delete(number)
          else cleared.add(number)
        }
      },
      pullRequestSubmitted({ number }) {
        cleared.delete(number)
      },
      tipMoved({ number }, { step }) {
        if (number === null || step.command.type !== 'reportManualMerge') return
        byHand.add(number)
        for (const { members, merging, isPartlyMerged } of line.groups) {
          if (merging === null && !isPartlyMerged) continue
          for (const member of members) byHand.add(member)
        }
      },
    },
  }
}
