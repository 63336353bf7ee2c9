/**
 * Runs that were made on a broken branch or base, for a reason that the rules allow. No test can show
 * then which pull request breaks it. Rules: E-49, E-110, E-111.
 */

import {
  type GroupId,
  type GroupView,
  groupsInLine,
  groupWith,
  hasBegunToMerge,
  type PullRequestNumber,
  type QueueView,
  type TestRun,
} from '../../engine/index.ts'
import type { Handlers } from '../steps/handlers.ts'
import type { Branch } from '../world/truth.ts'
import type { QuarantineChanges } from './quarantine.ts'

export type BrokenBases = Handlers & {
  /** Whether a run on top of it has cleared it, and none of its own. */
  isCleared(number: PullRequestNumber): boolean
  /**
   * The branch on which the run was made may be broken: by a merge by hand, by one that E-111 excepts,
   * or by half a batch of another lane. The base of the run may be broken as well, if it holds one
   * that a person merged meanwhile, one whose group or branch changed while it was merging, or one
   * that a successor cleared and another lane repairs, or one that passed because of a quarantine that has changed.
   */
  isBelow(run: TestRun): boolean
}

export function brokenBases(
  queue: QueueView,
  trueBranch: Branch,
  quarantine: QuarantineChanges,
): BrokenBases {
  const cleared = new Set<PullRequestNumber>()
  /**
   * Merged by a person. Runs on top of them continue if they were the very next to merge (E-110). And
   * those whose merging had begun when the branch changed or a member of their group left (E-47): no
   * run has tested what merges then.
   */
  const unproven = new Set<PullRequestNumber>()
  const disturb = (group: GroupView | undefined): void => {
    if (!group || !hasBegunToMerge(group)) return
    for (const member of group.members) unproven.add(member)
  }
  return {
    isCleared: (number) => cleared.has(number),
    isBelow(run) {
      if (trueBranch.wouldBreak([], run.tip)) return true
      const isException = (other: number): boolean =>
        cleared.has(other) || unproven.has(other) || quarantine.leansOn(other)
      const below = [...run.base, ...run.tested.filter(isException)]
      return below.some(isException) && trueBranch.wouldBreak(below, run.tip)
    },
    on: {
      groupPassed({ group, run }) {
        const isOwn = run.owner.kind === 'main' && run.owner.group === group
        for (const number of queue.groups[group]?.members ?? []) {
          if (isOwn) cleared.delete(number)
          else cleared.add(number)
          if (isOwn) unproven.delete(number)
        }
      },
      pullRequestSubmitted({ number }) {
        cleared.delete(number)
      },
      pullRequestEnded({ number, to }) {
        if (to !== 'MERGED') disturb(groupWith(queue, number))
      },
      tipMoved({ number }, { step }) {
        const isByHand = step.command.type === 'reportManualMerge'
        if (number !== null && !isByHand) return
        if (number !== null) unproven.add(number)
        for (const group of groupsInLine(queue)) disturb(group)
      },
    },
  }
}

/**
 * Groups whose base changed after their merging had begun: the host refused a member, a member
 * left, a push or a merge by hand changed the branch, or targets came for another one that its run holds (E-95).
 * E-111 requires no proof for the commits of such a group until a new run has tested it.
 */
export type Disturbances = Handlers & {
  has(group: GroupId): boolean
}

export function disturbances(queue: QueueView): Disturbances {
  const disturbed = new Set<GroupId>()
  const disturb = (group: GroupView | undefined): void => {
    if (group && hasBegunToMerge(group)) disturbed.add(group.id)
  }
  const disturbAll = (): void => {
    for (const group of groupsInLine(queue)) disturb(group)
  }
  return {
    has: (group) => disturbed.has(group),
    on: {
      pullRequestEnded({ number, to, reason }) {
        if (reason === 'MANUAL_MERGE') disturbAll()
        else if (to !== 'MERGED') disturb(groupWith(queue, number))
      },
      tipMoved({ number }) {
        if (number === null) disturbAll()
      },
      impactedTargetsSet({ number }) {
        for (const group of groupsInLine(queue)) {
          const run = group.phase.kind === 'passed' ? group.phase.run : null
          if (!run || group.members.includes(number)) continue
          if ([...run.base, ...run.tested].includes(number)) disturb(group)
        }
      },
      // The others leave it while one is being merged.
      groupSplit({ group, cause }) {
        if (cause === 'merging') disturbed.add(group)
      },
      groupLeft: ({ group }) => void disturbed.delete(group),
      testRunStarted({ run: { owner } }) {
        if (owner.kind === 'main') disturbed.delete(owner.group)
      },
    },
  }
}
