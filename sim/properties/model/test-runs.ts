/**
 * Every test run under way, and those that ended and may still be spoken of: what exactly each
 * tested, and what came of it.
 */

import type {
  BisectionId,
  EventOf,
  GroupId,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../../engine/index.ts'
import type { Book } from './book.ts'
import type { Bisections } from './bisections.ts'
import { extend, withOnTop, type Composition, type Content } from './composition.ts'
import type { Line } from './line.ts'
import type { QueueSettings } from './queue-settings.ts'
import { inCommon, type Targets, type Touched } from './targets.ts'
import type { TargetBranch } from './target-branch.ts'

type MadeOf = {
  /** The tip it was made on. */
  readonly floor: Composition
  /** What it has on top of that: those below, and those it speaks for. */
  readonly contents: readonly Content[]
  /** What each of these touches; in single mode left out, for everybody touches everything. */
  readonly touched: Touched[]
}

export type RunRecord = MadeOf & {
  readonly run: TestRun
  readonly whole: Composition
  /** The whole but for the last one tested. */
  readonly withoutLast: Composition
  outcome: EventOf<'testRunFinished'>['outcome'] | 'cancelled' | null
}

export type TestRuns = Book & {
  readonly underWay: ReadonlyMap<TestRunId, RunRecord>
  /** A run under way, one of a bisection that goes on, or one of the last few hundred. */
  find(id: TestRunId | null): RunRecord | undefined
  /** What a run that is about to start would test. */
  wholeOf(run: TestRun): Composition
  /** The runs that a bisection under way may come back to, its batch's own included. */
  ofBisection(id: BisectionId): Iterable<RunRecord>
}

/** Main runs that ended and are remembered: more than anything in the queue may refer to. */
const runsKept = 2000

type Known = {
  readonly bisections: Bisections
  readonly branch: TargetBranch
  readonly line: Line
  readonly targets: Targets
  readonly settings: QueueSettings
}

/** Reads the other books as they were before a run started. */
export function testRuns({ bisections, branch, line, targets, settings }: Known): TestRuns {
  const underWay = new Map<TestRunId, RunRecord>()
  const ended = new Map<TestRunId, RunRecord>()
  /** Goes on where it stopped: a new one would have to pass the places of all that are gone. */
  const oldestFirst = ended.keys()
  /** Runs that a bisection may come back to, its batch's own included. */
  const ofBisections = new Map<BisectionId, Map<TestRunId, RunRecord>>()

  const madeOf = ({ owner, base, tested }: TestRun): MadeOf => {
    const pinned = owner.kind === 'bisection' ? bisections.all.get(owner.bisection) : undefined
    const numbers = [...base, ...tested]
    const isParallel = settings.configuration.mode === 'parallel'
    const touchedBy = (number: number): Touched =>
      pinned?.touched ?? line.groupOf(number)?.touched ?? 'ALL'
    const touched = isParallel ? numbers.map(touchedBy) : []
    return pinned
      ? { floor: pinned.floor, contents: pinned.contentsOf(numbers), touched }
      : { floor: branch.composition, contents: branch.contentsOf(numbers), touched }
  }
  /** A bisection speaks of its batch's run as of one on its pinned tip, where the rest has merged. */
  const adopt = ({ bisection }: EventOf<'bisectionStarted'>): void => {
    const kept = new Map<TestRunId, RunRecord>()
    ofBisections.set(bisection, kept)
    const bisected = bisections.all.get(bisection)
    const batchRun = find(bisected?.batchRun?.id ?? null)
    if (!bisected || !batchRun) return
    const { floor, members, contentsOf, touched } = bisected
    const made = { floor, contents: contentsOf(members), touched: members.map(() => touched) }
    const { run, outcome } = batchRun
    kept.set(run.id, { ...recordOf(run, made), outcome })
    ended.delete(batchRun.run.id)
  }
  /**
   * What a group does not touch any more counts for the runs of others that hold it, too. What it
   * touches anew does not: something may have landed that was beside it until now.
   */
  const link = (id: GroupId, members: readonly PullRequestNumber[]): void => {
    if (settings.configuration.mode === 'single') return
    const touched = targets.of(members)
    for (const { run, contents, touched: known } of [...underWay.values(), ...ended.values()]) {
      if (run.owner.kind === 'bisection' || run.owner.group === id) continue
      for (const [place, number] of [...run.base, ...run.tested].entries()) {
        if (!members.includes(number)) continue
        if (branch.contentOf(number) !== contents[place]) continue
        known[place] = inCommon(known[place] ?? 'ALL', touched)
      }
    }
  }
  const membersOf = (id: GroupId): readonly PullRequestNumber[] => line.group(id)?.members ?? []
  const split = ({ group, members }: EventOf<'groupSplit'>): void => {
    link(group, members)
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
  const end = (id: TestRunId, outcome: RunRecord['outcome']): void => {
    const found = underWay.get(id)
    if (!found) return
    underWay.delete(id)
    found.outcome = outcome
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
    wholeOf(run) {
      const { floor, contents } = madeOf(run)
      return extend(floor, contents)
    },
    ofBisection: (id) => ofBisections.get(id)?.values() ?? [],
    on: {
      testRunStarted: ({ run }) => void underWay.set(run.id, recordOf(run, madeOf(run))),
      testRunFinished: ({ testRun, outcome }) => end(testRun, outcome),
      testRunCancelled: ({ testRun }) => end(testRun, 'cancelled'),
      groupLinked: ({ group }) => link(group, membersOf(group)),
      groupSplit: split,
      bisectionStarted: adopt,
      bisectionEnded({ bisection }) {
        for (const kept of ofBisections.get(bisection)?.values() ?? []) remember(kept)
        ofBisections.delete(bisection)
      },
    },
  }
}

function recordOf(run: TestRun, { floor, contents, touched }: MadeOf): RunRecord {
  let withoutLast = floor
  let whole = floor
  for (const content of contents) {
    withoutLast = whole
    whole = withOnTop(whole, content)
  }
  return { run, floor, contents, touched, whole, withoutLast, outcome: null }
}
