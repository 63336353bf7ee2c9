/**
 * The ledger of one run. The queue in it is that of the engine, made anew from the events: that it is
 * the right one, the model checks. The rest is what the engine does not know: the truth about the
 * branch, and where it cannot be expected to be green.
 */

import {
  type Millis,
  type PullRequestNumber,
  type QueueView,
  type GroupId,
  type ImpactedTargets,
  sharesTarget,
  type TestRun,
  type GroupView,
  groupsInLine,
  groupWith,
  hasBegunToMerge,
  engineParts,
  type Event,
  type EventOf,
  type Queue,
  type TestRunId,
} from '../../engine/index.ts'
import type { Handlers, EventHandler, Point } from '../steps/step.ts'
import type { Truth, Branch } from '../world/truth.ts'
import { messageOf } from '../../server/terminal/text.ts'

// When the quarantine has changed: a test was put in it or released, or an entry has ended. Rules: E-270, E-275.

type QuarantineChanges = Handlers & {
  /** Whether it has changed since that instant. */
  changedSince(since: Millis, now: Millis): boolean
  /** Whether it has changed since the pull request was submitted: then its runs were judged by other lists. */
  changedFor(number: PullRequestNumber, now: Millis): boolean
  /** Whether it has changed since the first pull request was submitted. */
  hasChanged(now: Millis): boolean
  /** Whether a run in which only tests in quarantine failed is why it passed. */
  leansOn(number: PullRequestNumber): boolean
}

function quarantineChanges(queue: QueueView): QuarantineChanges {
  const entries = Object.values(queue.quarantine?.tests ?? {})
  const changes: Millis[] = entries.flatMap(({ until }) => until ?? [])
  const leaning = new Set<PullRequestNumber>()
  let first = Infinity
  const changedSince = (since: Millis, now: Millis): boolean =>
    changes.some((at) => since <= at && at <= now)

  return {
    changedSince,
    changedFor: (number, now) => changedSince(queue.pullRequests[number]?.submittedAt ?? 0, now),
    hasChanged: (now) => changedSince(first, now),
    leansOn: (number) => leaning.has(number),
    on: {
      pullRequestSubmitted({ number }, { at }) {
        first = Math.min(first, at)
        leaning.delete(number)
      },
      pullRequestMoved({ number, to, quarantined }) {
        if (to === 'TESTS_PASSED' && quarantined) leaning.add(number)
        else if (to === 'TESTS_PASSED') leaning.delete(number)
      },
      testQuarantined({ entry: { until } }, { at }) {
        changes.push(at, ...(until === undefined ? [] : [until]))
      },
      testReleased: (_event, { at }) => void changes.push(at),
    },
  }
}

// Whether pull requests affect each other although they declared no target in common (S-47). In
// parallel mode two that break, repair or conflict with each other are tested together only if they
// share a target. If they do not, which of them fails depends on timing, and the queue cannot know.

type LaneClashes = Handlers & {
  /** Whether it has started beside one that it affects, and shares no target with that one. */
  has(number: PullRequestNumber): boolean
  /** Whether the run tests such a pull request, or has it in its base. */
  isIn(run: TestRun): boolean
}

function laneClashes(truth: Truth, queue: QueueView): LaneClashes {
  /** Impacted targets at the last start. One without an entry shares a target with every other. */
  const declared = new Map<PullRequestNumber, ImpactedTargets>()
  const clashing = new Set<PullRequestNumber>()
  const declare = (id: GroupId | undefined): void => {
    const group = queue.groups[id ?? 0]
    if (!group) return
    const targets = queue.configuration.mode === 'single' ? 'ALL' : group.targets
    for (const number of group.members) {
      declared.set(number, targets)
      for (const other of truth.relativesOf(number)) {
        if (!sharesTarget(targets, declared.get(other) ?? 'ALL')) clashing.add(number).add(other)
      }
    }
  }
  const has = (number: PullRequestNumber): boolean => clashing.has(number)
  return {
    has,
    isIn: ({ base, tested }) => base.some(has) || tested.some(has),
    atEach(event) {
      const { type } = event
      if (type === 'groupPlaced' || type === 'groupRestarted') declare(event.group)
      // A member that left may have been the one with all targets.
      else if (type === 'testRunStarted') {
        if (event.run.owner.kind === 'main') declare(event.run.owner.group)
      } else if (type === 'impactedTargetsSet') {
        const home = queue.pullRequests[event.number]?.home
        if (home?.in === 'group') declare(home.group)
      } else if (type === 'groupSplit') {
        declare(event.group)
        declare(event.into)
      }
    },
  }
}

// Runs that were made on a broken branch or base, for a reason that the rules allow. No test can show
// then which pull request breaks it. Rules: E-49, E-110, E-111.

type BrokenBases = Handlers & {
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

function brokenBases(
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
type Disturbances = Handlers & {
  has(group: GroupId): boolean
}

function disturbances(queue: QueueView): Disturbances {
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

export type Ledger = {
  /** The queue by the events so far. */
  readonly queue: QueueView
  /** Why an event does not fit the queue as it was before; null as long as each one fits. */
  readonly contradiction: string | null
  /** A run that is under way, or one of the last 10,000. */
  run(id: TestRunId | null | undefined): RunRecord | undefined
  /** The submission that each commit of the target branch brought; null for a push. */
  readonly commits: readonly (number | null)[]
  /** The truth about the target branch: whether its tests would fail, now or at an earlier tip. */
  readonly trueBranch: Branch
  /** Runs on a branch or base that was broken before. */
  readonly brokenBases: BrokenBases
  /** Groups whose base changed from outside while they were merging. */
  readonly disturbed: Disturbances
  /** Whether pull requests that affect each other declared no target in common. */
  readonly laneClashes: LaneClashes
  /** When the quarantine has changed, and who leans on it. */
  readonly quarantine: QuarantineChanges
}

type RunRecord = {
  readonly run: TestRun
  /** Null while it is under way. */
  outcome: EventOf<'testRunFinished'>['outcome'] | 'cancelled' | null
  /** Whether it failed only because of a flake. */
  isFlake: boolean
}

type Beginning = {
  /** A copy of the queue before the first command. */
  readonly beginning: () => Queue
  readonly truth: Truth
  readonly isFlake: (testRun: TestRunId) => boolean
}

/**
 * Returns the ledger of a new run, and the handlers that keep it. They are called after all others, so
 * that these see it as it was before the event.
 */
export function newLedger({ beginning, truth, isFlake }: Beginning): {
  readonly ledger: Ledger
  readonly handlers: readonly Handlers[]
} {
  const queue = beginning()
  const trueBranch = truth.emptyBranch()
  const commits: (number | null)[] = []
  const runs = testRuns(isFlake)
  const disturbed = disturbances(queue)
  const quarantine = quarantineChanges(queue)
  const bases = brokenBases(queue, trueBranch, quarantine)
  const clashes = laneClashes(truth, queue)
  let contradiction: string | null = null
  const evolve: EventHandler<Event> = (event) => {
    try {
      engineParts.evolve(queue, event)
    } catch (error) {
      contradiction ??= `${event.type}: ${messageOf(error)}`
    }
  }
  const ledger: Ledger = {
    queue,
    get contradiction() {
      return contradiction
    },
    run: (id) => runs.find(id ?? 0),
    commits,
    trueBranch,
    brokenBases: bases,
    disturbed,
    laneClashes: clashes,
    quarantine,
  }
  const passTo = ({ at }: Point): void => {
    queue.now = at
  }
  const land = ({ number }: EventOf<'tipMoved'>): void => {
    commits.push(number === null ? null : (queue.pullRequests[number]?.submission ?? null))
    if (number === null) trueBranch.addForeign()
    else trueBranch.add(number)
  }
  const handlers: readonly Handlers[] = [
    { atCommand: passTo, on: { tipMoved: land }, atEach: evolve },
    ...[bases, disturbed, quarantine, runs],
    // It reads the queue as it is after the event.
    clashes,
  ]
  return { ledger, handlers }
}

/** More than the queue may refer to. */
const runsKept = 10_000

function testRuns(isFlake: (testRun: TestRunId) => boolean) {
  const runs = new Map<TestRunId, RunRecord>()
  /** One iterator for the whole run: a new one would have to skip all deleted entries. */
  const oldestFirst = runs.keys()
  const end = (id: TestRunId, outcome: RunRecord['outcome']): void => {
    const record = runs.get(id)
    if (!record) return
    record.outcome = outcome
    record.isFlake = outcome === 'failed' && isFlake(id)
  }
  return {
    find: (id: TestRunId): RunRecord | undefined => runs.get(id),
    on: {
      testRunStarted({ run }) {
        runs.set(run.id, { run, outcome: null, isFlake: false })
        if (runs.size > runsKept) runs.delete(oldestFirst.next().value ?? 0)
      },
      testRunFinished: ({ testRun, outcome }) => end(testRun, outcome),
      testRunCancelled: ({ testRun }) => end(testRun, 'cancelled'),
    },
  } satisfies Handlers & { find: unknown }
}
