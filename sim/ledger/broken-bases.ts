/**
 * Runs that were made on a broken branch or base, for a reason that the rules allow. No test can show
 * then which pull request breaks it. Rules: E-49, E-110, E-111.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Branch } from '../world/truth.ts'
import { hasBegunToMerge, type LineGroup } from './line-group.ts'
import type { Line } from './line.ts'
import type { Projection } from './projection.ts'
import type { QuarantineProjection } from './quarantine.ts'
import type { RunRecord } from './test-runs.ts'

export type BrokenBases = Projection & {
  /** Whether a run on top of it has cleared it, and none of its own. */
  isCleared(number: PullRequestNumber): boolean
  /**
   * The branch on which the run was made may be broken: by a merge by hand, by one that E-111 excepts,
   * or by half a batch of another lane. The base of the run may be broken as well, if it holds one
   * that a person merged meanwhile, one whose group or branch changed while it was merging, or one
   * that a successor cleared and another lane repairs, or one that passed because of a quarantine that has changed.
   */
  isBelow(record: RunRecord): boolean
}

/** Reads the line as it was before an event, so it is updated before the line. */
export function brokenBases(
  line: Line,
  trueBranch: Branch,
  quarantine: QuarantineProjection,
): BrokenBases {
  const cleared = new Set<PullRequestNumber>()
  /**
   * Merged by a person. Runs on top of them continue if they were the very next to merge (E-110). And
   * those whose merging had begun when the branch changed or a member of their group left (E-47): no
   * run has tested what merges then.
   */
  const unproven = new Set<PullRequestNumber>()
  const disturb = (group: LineGroup | undefined): void => {
    if (!group || !hasBegunToMerge(group)) return
    for (const member of group.members) unproven.add(member)
  }
  return {
    isCleared: (number) => cleared.has(number),
    isBelow({ run }) {
      if (trueBranch.wouldBreak([], run.tip)) return true
      const isException = (other: number): boolean =>
        cleared.has(other) || unproven.has(other) || quarantine.leansOn(other)
      const below = [...run.base, ...run.tested.filter(isException)]
      return below.some(isException) && trueBranch.wouldBreak(below, run.tip)
    },
    on: {
      groupPassed({ group, run }) {
        const isOwn = run.owner.kind === 'main' && run.owner.group === group
        for (const number of line.group(group)?.members ?? []) {
          if (isOwn) cleared.delete(number)
          else cleared.add(number)
          if (isOwn) unproven.delete(number)
        }
      },
      pullRequestSubmitted({ number }) {
        cleared.delete(number)
      },
      pullRequestEnded({ number, to }) {
        if (to !== 'MERGED') disturb(line.groupOf(number))
      },
      tipMoved({ number }, { step }) {
        const isByHand = step.command.type === 'reportManualMerge'
        if (number !== null && !isByHand) return
        if (number !== null) unproven.add(number)
        for (const group of line.groups) disturb(group)
      },
    },
  }
}
