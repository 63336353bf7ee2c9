/**
 * The exact composition and the outcome of every test run in progress, and of ended runs that may
 * still be referred to.
 */

import type {
  BisectionId,
  EventOf,
  GroupId,
  PullRequestNumber,
  TestName,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import type { Projection } from './projection.ts'
import type { Bisections } from './bisections.ts'
import { extend, type CompositionNode, type Content } from './composition.ts'
import { hasBegunToMerge, isYetToStart } from './line-group.ts'
import type { Line } from './line.ts'
import type { SettingsProjection } from './queue-settings.ts'
import { inCommon, isSameList, union, type Targets, type TargetSet } from './targets.ts'
import type { TargetBranch } from './target-branch.ts'

type RunComposition = {
  /** The tip it was made on. */
  readonly baseTip: CompositionNode
  /** The contents on top of that tip: its base, then the pull requests that it tests. */
  readonly contents: readonly Content[]
  /** The impacted targets of each content; empty in single mode, where each has ALL. */
  readonly touched: TargetSet[]
}

export type RunRecord = Omit<RunComposition, 'baseTip'> & {
  readonly run: TestRun
  readonly fullComposition: CompositionNode
  outcome: EventOf<'testRunFinished'>['outcome'] | 'cancelled' | null
  /** The tests that failed, as reported when it ended. */
  failedTests: readonly TestName[]
  /** Whether it failed only because of a flake. */
  isFlake: boolean
}

export type TestRunsProjection = Projection & {
  readonly underWay: ReadonlyMap<TestRunId, RunRecord>
  /**
   * Finds a run that is under way, belongs to a bisection under way, or is one of the last 2,000
   * that ended.
   */
  find(id: TestRunId | null): RunRecord | undefined
  /** The ended runs of a bisection under way, the run of its batch included. */
  ofBisection(id: BisectionId): Iterable<RunRecord>
}

/** How many ended runs are kept: more than the queue may refer to. */
const runsKept = 2000

type RunDependencies = {
  readonly bisections: Bisections
  readonly branch: TargetBranch
  readonly line: Line
  readonly targets: Targets
  readonly settings: SettingsProjection
  /** Whether a run that fails now fails only because of a flake. */
  readonly isFlake: (testRun: TestRunId) => boolean
}

/**
 * Reads other parts of the ledger as they were before a run started, so it is updated before them.
 */
export function testRuns({
  bisections,
  branch,
  line,
  targets,
  settings,
  isFlake,
}: RunDependencies): TestRunsProjection {
  const underWay = new Map<TestRunId, RunRecord>()
  const ended = new Map<TestRunId, RunRecord>()
  /** One iterator for the whole run: a new one would have to skip all deleted entries. */
  const oldestFirst = ended.keys()
  /** The ended runs of each bisection under way, the run of its batch included. */
  const ofBisections = new Map<BisectionId, Map<TestRunId, RunRecord>>()

  /**
   * The tip that the queue tests by itself: the branch, or that on which a bisection is pinned. One may have
   * the number of the branch without being it: other lanes merge beside the members of a bisection.
   */
  const tipOf = ({ tip, composition }: TestRun): CompositionNode => {
    if (composition === branch.name) return branch.composition
    const pinned = [...bisections.all.values()].filter((each) => each.tip === tip)
    const named = pinned.find(({ name }) => name === composition)
    return (named ?? pinned.find(({ name }) => name === null))?.baseTip ?? branch.composition
  }
  const runCompositionOf = (run: TestRun): RunComposition => {
    const { owner, base, tested } = run
    if (owner.kind === 'tip') return { baseTip: tipOf(run), contents: [], touched: [] }
    const pinned = owner.kind === 'bisection' ? bisections.all.get(owner.bisection) : undefined
    const numbers = [...base, ...tested]
    const isParallel = settings.configuration.mode === 'parallel'
    const touchedBy = (number: number): TargetSet => {
      const group = line.groupOf(number)
      return pinned?.touched ?? group?.mergesWith ?? group?.touched ?? 'ALL'
    }
    const touched = isParallel ? numbers.map(touchedBy) : []
    return pinned
      ? { baseTip: pinned.baseTip, contents: pinned.contentsOf(numbers), touched }
      : { baseTip: branch.composition, contents: branch.contentsOf(numbers), touched }
  }
  /**
   * A bisection treats the run of its batch as a run on its pinned tip, where the base has merged.
   */
  const adopt = ({ bisection }: EventOf<'bisectionStarted'>): void => {
    const kept = new Map<TestRunId, RunRecord>()
    ofBisections.set(bisection, kept)
    const bisectionRecord = bisections.all.get(bisection)
    const batchRun = find(bisectionRecord?.batchRun?.id ?? null)
    if (!bisectionRecord || !batchRun) return
    const { baseTip, members, contentsOf, touched } = bisectionRecord
    const made = { baseTip, contents: contentsOf(members), touched: members.map(() => touched) }
    const record = recordOf(batchRun.run, made)
    record.outcome = batchRun.outcome
    record.failedTests = batchRun.failedTests
    record.isFlake = batchRun.isFlake
    kept.set(record.run.id, record)
    ended.delete(record.run.id)
  }
  /** A target that a group no longer has is removed in the runs that hold it. */
  const link = (id: GroupId, members: readonly PullRequestNumber[]): void => {
    if (settings.configuration.mode === 'single') return
    const touched = targets.of(members)
    if (isSameList(line.group(id)?.touched ?? 'ALL', touched)) return
    const records = [...underWay.values(), ...ended.values()]
    const ofTheLine = records.filter(({ run }) => run.owner.kind === 'main')
    forEachPlace(branch, ofTheLine, members, (known, place) => {
      known[place] = inCommon(known[place] ?? 'ALL', touched)
    })
  }
  /**
   * A new target is added in all runs, because a commit with that target may have landed already,
   * without being part of them. Not if the group has begun to merge: then it merges as it was tested.
   * While it waits for a run, the last upload counts alone (E-94).
   */
  const upload = ({ number, targets: now }: EventOf<'impactedTargetsSet'>): void => {
    const group = line.groupOf(number)
    if (settings.configuration.mode === 'single' || (group && hasBegunToMerge(group))) return
    const uploaded = now === 'ALL' ? now : new Set(now)
    const kept = [...ofBisections.values()].flatMap((records) => [...records.values()])
    const records = [...underWay.values(), ...ended.values(), ...kept]
    forEachPlace(branch, records, [number], (known, place) => {
      known[place] = union(known[place] ?? 'ALL', uploaded)
    })
    if (group && isYetToStart(group)) link(group.id, group.members)
  }
  const membersOf = (id: GroupId): readonly PullRequestNumber[] => line.group(id)?.members ?? []
  const split = ({ group, members, cause }: EventOf<'groupSplit'>): void => {
    link(group, members)
    if (cause === 'merging') return
    link(
      group,
      membersOf(group).filter((number) => !members.includes(number)),
    )
  }
  const remember = (record: RunRecord): void => {
    ended.set(record.run.id, record)
    if (ended.size <= runsKept) return
    const oldest = oldestFirst.next()
    if (oldest.done !== true) ended.delete(oldest.value)
  }
  const start = ({ run }: EventOf<'testRunStarted'>): void => {
    underWay.set(run.id, recordOf(run, runCompositionOf(run)))
  }
  const end = (
    id: TestRunId,
    outcome: RunRecord['outcome'],
    failedTests: readonly TestName[] = noTests,
  ): void => {
    const found = underWay.get(id)
    if (!found) return
    underWay.delete(id)
    found.outcome = outcome
    found.failedTests = failedTests
    found.isFlake = outcome === 'failed' && isFlake(id)
    const { owner } = found.run
    const kept = owner.kind === 'bisection' ? ofBisections.get(owner.bisection) : undefined
    if (kept) kept.set(id, found)
    else remember(found)
  }
  const find = (id: TestRunId | null): RunRecord | undefined => {
    if (id === null) return undefined
    const recent = underWay.get(id) ?? ended.get(id)
    if (recent) return recent
    for (const kept of ofBisections.values()) {
      const found = kept.get(id)
      if (found) return found
    }
    return undefined
  }

  return {
    underWay,
    find,
    ofBisection: (id) => ofBisections.get(id)?.values() ?? [],
    on: {
      testRunStarted: start,
      testRunFinished: ({ testRun, outcome, failedTests }) => end(testRun, outcome, failedTests),
      testRunCancelled: ({ testRun }) => end(testRun, 'cancelled'),
      groupRestarted: ({ group }) => link(group, membersOf(group)),
      impactedTargetsSet: upload,
      groupSplit: split,
      bisectionStarted: adopt,
      bisectionEnded({ bisection }) {
        for (const kept of ofBisections.get(bisection)?.values() ?? []) remember(kept)
        ofBisections.delete(bisection)
      },
    },
  }
}

const noTests: readonly TestName[] = []

/** Calls `change` for the places in the runs at which they hold these. */
function forEachPlace(
  branch: TargetBranch,
  records: Iterable<RunRecord>,
  members: readonly PullRequestNumber[],
  change: (known: TargetSet[], place: number) => void,
): void {
  for (const { run, contents, touched: known } of records) {
    for (const [place, number] of [...run.base, ...run.tested].entries()) {
      if (!members.includes(number)) continue
      if (branch.contentOf(number) === contents[place]) change(known, place)
    }
  }
}

/** A literal with all fields: spreading one object into another here costs more than the rest. */
function recordOf(run: TestRun, { baseTip, contents, touched }: RunComposition): RunRecord {
  return {
    run,
    contents,
    touched,
    fullComposition: extend(baseTip, contents),
    outcome: null,
    failedTests: noTests,
    isFlake: false,
  }
}
