/**
 * The ledger of one run: the branch, the line, bisections, test runs, waiting pull requests and
 * settings, derived from the events so far. It never reads the engine's state.
 */

import type { Configuration, EventOf, QueueState, TestRunId } from '../../engine/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Branch, Truth } from '../world/truth.ts'
import { bisections, type Bisections } from './bisections.ts'
import {
  brokenBases,
  type BrokenBases,
  disturbances,
  type Disturbances,
  laneClashes,
  type LaneClashes,
  mootRuns,
  type MootRuns,
} from './broken-bases.ts'
import { history, type LandedHistory } from './history.ts'
import { line, type Line } from './line.ts'
import { places, type Places, reportedConflicts, type ReportedConflicts } from './places.ts'
import { touchedByCommit } from './predecessors.ts'
import type { Projection } from './projection.ts'
import { quarantineChanges, type QuarantineProjection } from './quarantine.ts'
import { queueSettings, type SettingsProjection } from './queue-settings.ts'
import { targetBranch, type TargetBranch } from './target-branch.ts'
import { targets, type Targets } from './targets.ts'
import { testRuns, type TestRunsProjection } from './test-runs.ts'
import { verdicts, type Verdicts } from './verdicts.ts'
import { waitingList, type WaitingList } from './waiting-list.ts'

export type Projections = {
  /** Configuration and state of the queue. */
  readonly settings: SettingsProjection
  /** Pull requests that wait for their first start. */
  readonly waiting: WaitingList
  /** Impacted targets, as uploaded. */
  readonly targets: Targets
  /** The target branch, commit by commit. */
  readonly branch: TargetBranch
  /** The truth about the target branch: whether its tests would fail, now or at an earlier tip. */
  readonly trueBranch: Branch
  /** The groups in the line. */
  readonly line: Line
  /** Runs on a branch or base that was broken before. */
  readonly brokenBases: BrokenBases
  /** Groups whose base changed from outside while they were merging. */
  readonly disturbed: Disturbances
  /** Whether pull requests that affect each other declared no target in common. */
  readonly laneClashes: LaneClashes
  /** Which pull requests conflict as text, as reported. */
  readonly conflicts: ReportedConflicts
  /** Who came first. */
  readonly places: Places
  /** The commits that may still matter to a run. */
  readonly history: LandedHistory
  /** The bisections under way. */
  readonly bisections: Bisections
  /** Test runs under way, and those that ended lately. */
  readonly runs: TestRunsProjection
  /** The last verdicts, by what they were given on. */
  readonly verdicts: Verdicts
  /** When the quarantine has changed, and who leans on it. */
  readonly quarantine: QuarantineProjection
  /** Bisection runs that could not change what was known when they ended. */
  readonly mootRuns: MootRuns
}

/** The queue at the start of the run, and the truth about its pull requests. */
type Beginning = {
  readonly configuration: Configuration
  readonly queueState: QueueState
  readonly truth: Truth
  readonly isFlake: (testRun: TestRunId) => boolean
  readonly inputs?: { readonly scenario: Scenario }
}

type NewLedger = {
  readonly ledger: Projections
  /**
   * The handlers that update it. Call them at each event in this order, after all other handlers.
   */
  readonly projections: readonly Projection[]
}

/** After so many commits, those that no run needs any more are dropped. */
const commitsBetweenCleanups = 64

/** Returns an empty ledger for a new run. */
export function newLedger(beginning: Beginning): NewLedger {
  const { configuration, queueState, truth, isFlake, inputs } = beginning
  const settings = queueSettings(configuration, queueState)
  const waiting = waitingList()
  const theBranch = targetBranch()
  const trueBranch = truth.emptyBranch()
  const theTargets = targets(settings)
  const theLine = line(theTargets)
  const disturbed = disturbances(theLine)
  const theClashes = laneClashes(truth, theLine)
  const theBisections = bisections(theLine, theBranch)
  const isFoundLate = inputs?.scenario.codeHost?.conflictsFoundByBuild === true
  const theConflicts = reportedConflicts(isFoundLate ? truth : null)
  const thePlaces = places(theLine, theConflicts)
  const theHistory = history()
  const runs = testRuns({
    bisections: theBisections,
    branch: theBranch,
    line: theLine,
    targets: theTargets,
    settings,
    isFlake,
  })
  const theVerdicts = verdicts(runs)
  const theQuarantine = quarantineChanges(inputs?.scenario.quarantine)
  const theBrokenBases = brokenBases(theLine, trueBranch, theQuarantine)
  const theMootRuns = mootRuns(theBisections, runs)
  const ledger: Projections = {
    settings,
    waiting,
    targets: theTargets,
    branch: theBranch,
    trueBranch,
    line: theLine,
    brokenBases: theBrokenBases,
    disturbed,
    laneClashes: theClashes,
    conflicts: theConflicts,
    places: thePlaces,
    history: theHistory,
    bisections: theBisections,
    runs,
    verdicts: theVerdicts,
    quarantine: theQuarantine,
    mootRuns: theMootRuns,
  }
  const land = ({ number, tip }: EventOf<'tipMoved'>): void => {
    const content = number === null ? -tip : theBranch.contentOf(number)
    const uploaded = touchedByCommit(theLine, number)
    const group = number === null ? undefined : theLine.groupOf(number)
    const touched = uploaded === group?.touched ? (group.mergesWith ?? uploaded) : uploaded
    theHistory.land({ content, touched, uploaded })
    if (number === null) trueBranch.addForeign()
    else trueBranch.add(number)
    if (theHistory.size % commitsBetweenCleanups === 0) theHistory.forget(oldestTip(ledger))
  }
  // A projection that reads another one as it was before an event comes before that one.
  const projections = [
    settings,
    { on: { tipMoved: land } },
    waiting,
    theTargets,
    theBrokenBases,
    disturbed,
    theConflicts,
    thePlaces,
    theMootRuns,
    theBisections,
    theVerdicts,
    runs,
    theLine,
    theClashes,
    theBranch,
    theQuarantine,
  ]
  return { ledger, projections }
}

/** The oldest tip that verdicts in force, runs or bisections under way still refer to. */
function oldestTip(ledger: Projections): number {
  const { branch, runs } = ledger
  let oldest = branch.number
  for (const { run } of ledger.line.groups) oldest = Math.min(oldest, run?.tip ?? oldest)
  for (const { run } of runs.underWay.values()) oldest = Math.min(oldest, run.tip)
  for (const { id, tip } of ledger.bisections.all.values()) {
    oldest = Math.min(oldest, tip)
    for (const { run } of runs.ofBisection(id)) oldest = Math.min(oldest, run.tip)
  }
  return oldest
}
