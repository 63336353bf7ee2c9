/**
 * Runs that were made on a broken branch or base, for a reason that the rules allow. No test can show
 * then which pull request breaks it. Rules: E-49, E-110, E-111.
 */

import type {
  BisectionId,
  EventOf,
  GroupId,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import type { Branch, Truth } from '../world/truth.ts'
import { type Bisections, testsAPrefix } from './bisections.ts'
import { hasBegunToMerge, type LineGroup } from './line-group.ts'
import type { Line } from './line.ts'
import type { Projection } from './projection.ts'
import type { QuarantineProjection } from './quarantine.ts'
import { shareTarget, type TargetSet } from './targets.ts'
import type { RunRecord, TestRunsProjection } from './test-runs.ts'

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

/**
 * Groups whose base changed after their merging had begun: the host refused a member, a member
 * left, a push or a merge by hand changed the branch, or targets came for another one that its run holds (E-95).
 * E-111 requires no proof for the commits of such a group until a new run has tested it.
 */
export type Disturbances = Projection & {
  has(group: GroupId): boolean
}

/** Reads the line as it was before an event, so it is updated before the line. */
export function disturbances(line: Line): Disturbances {
  const disturbed = new Set<GroupId>()
  const disturb = (group: LineGroup | undefined): void => {
    if (group && hasBegunToMerge(group)) disturbed.add(group.id)
  }
  const end = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    if (reason === 'MANUAL_MERGE') for (const group of line.groups) disturb(group)
    else if (to === 'FAILED' || to === 'CANCELLED') disturb(line.groupOf(number))
  }
  return {
    has: (group) => disturbed.has(group),
    on: {
      pullRequestEnded: end,
      tipMoved({ number }) {
        if (number === null) for (const group of line.groups) disturb(group)
      },
      impactedTargetsSet({ number }) {
        for (const group of line.groups) {
          const { base = [], tested = [] } = group.run ?? {}
          if (!group.members.includes(number) && [...base, ...tested].includes(number))
            disturb(group)
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

/** Bisection runs that could not change what was known when they ended. Rule: E-85. */
export type MootRuns = Projection & {
  /** The moot runs of a bisection under way. */
  of(bisection: BisectionId): ReadonlySet<TestRunId>
}

const none: ReadonlySet<TestRunId> = new Set()

/** Reads bisections and runs as they were before an event, so it is updated before them. */
export function mootRuns(bisections: Bisections, runs: TestRunsProjection): MootRuns {
  const moot = new Map<BisectionId, Set<TestRunId>>()
  return {
    of: (bisection) => moot.get(bisection) ?? none,
    on: {
      testRunFinished({ testRun }) {
        const record = runs.underWay.get(testRun)
        if (record?.run.owner.kind !== 'bisection') return
        const bisection = bisections.all.get(record.run.owner.bisection)
        if (!bisection || testsAPrefix(bisection, record.fullComposition)) return
        moot.set(bisection.id, (moot.get(bisection.id) ?? new Set()).add(testRun))
      },
      bisectionEnded: ({ bisection }) => void moot.delete(bisection),
    },
  }
}

/**
 * Whether pull requests affect each other although they declared no target in common (S-47). In
 * parallel mode two that break, repair or conflict with each other are tested together only if they
 * share a target. If they do not, which of them fails depends on timing, and the queue cannot know.
 */
export type LaneClashes = Projection & {
  /** Whether it has started beside one that it affects, and shares no target with that one. */
  has(number: PullRequestNumber): boolean
  /** Whether the run tests such a pull request, or has it in its base. */
  isIn(run: TestRun): boolean
}

/** Reads the line as it is after an event, so it is updated after the line. */
export function laneClashes(truth: Truth, line: Line): LaneClashes {
  /** Impacted targets at the last start, of pull requests that affect others. */
  const declared = new Map<PullRequestNumber, TargetSet>()
  const clashing = new Set<PullRequestNumber>()

  const declare = (id: GroupId): void => {
    const group = line.group(id)
    if (!group) return
    const { touched } = group
    if (touched === 'ALL') {
      // It shares a target with every other. A pull request without an entry counts the same way.
      for (const number of group.members) declared.delete(number)
      return
    }
    for (const number of group.members) {
      // Also one without relatives: a later one may break with it.
      declared.set(number, touched)
      for (const other of truth.relativesOf(number)) {
        if (shareTarget(touched, declared.get(other) ?? 'ALL')) continue
        clashing.add(number).add(other)
      }
    }
  }

  const has = (number: PullRequestNumber): boolean => clashing.has(number)

  return {
    has,
    isIn: ({ base, tested }) => base.some(has) || tested.some(has),
    on: {
      groupPlaced: ({ group }) => declare(group),
      groupRestarted: ({ group }) => declare(group),
      // A member that left may have been the one with all targets.
      testRunStarted({ run: { owner } }) {
        if (owner.kind === 'main') declare(owner.group)
      },
      impactedTargetsSet({ number }) {
        const group = line.groupOf(number)
        if (group) declare(group.id)
      },
      groupSplit({ group, into }) {
        declare(group)
        declare(into)
      },
    },
  }
}
