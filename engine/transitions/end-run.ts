/**
 * The end of a test run, and its consequences for the group or the bisection that owns the run.
 *
 * Rules: E-43, E-50, E-54, E-61, E-64, E-142, E-309.
 */

import type { RunFailureReason } from '../model/pull-request.ts'
import type {
  BisectionId,
  BisectionView,
  GroupId,
  GroupView,
  QueueView,
  Retry,
  TestName,
  TestRun,
  RecordedVerdict,
  TestRunId,
} from '../model/state.ts'
import { isDoubtful, isUnconfirmedFailureOfBatch } from '../bisection/confirmation.ts'
import { matters } from '../bisection/knowledge.ts'
import type { Step } from '../evolve/step.ts'
import {
  move,
  moveAll,
  passAll,
  passedBy,
  restartGroup,
  restartLineWithout,
} from '../line/moves.ts'
import { groupsInLine, hasPredecessor, holdsGroup } from '../model/predecessors.ts'
import { areInQuarantine, hasFlaked } from '../model/quarantine.ts'
import { testKey, markOf, type CompositionKey } from '../model/ids.ts'
import { onFailure } from '../model/policy.ts'
import { tipHasFailed, tipHasPassed } from './tip.ts'

const minuteMs = 60_000

/** Waits before a lost run is repeated. After the last repetition a lost run counts as failed. */
export const retryAfterMinutes = [1, 5] as const

export type RunEnd = {
  readonly outcome: 'passed' | 'failed' | 'errored' | 'timed_out'
  readonly failedTests: readonly TestName[]
}

/**
 * Ends a run that is in progress. It counts as passed if only tests in quarantine failed: this is decided here, and
 * at no other place. Rule: E-271.
 */
export function endRun(step: Step, finished: TestRun, end: RunEnd): void {
  const { failedTests } = end
  const isExcused = end.outcome === 'failed' && areInQuarantine(step.queue, failedTests, step.at)
  const outcome = isExcused ? 'passed' : end.outcome
  const excused = isExcused ? { quarantined: true as const } : {}
  step.emit({ type: 'testRunFinished', testRun: finished.id, outcome, failedTests, ...excused })
  const run = isExcused ? { ...finished, quarantined: failedTests.map(testKey) } : finished
  if (outcome === 'passed' || outcome === 'failed') recordVerdict(step, run, outcome, failedTests)
  const { owner } = run
  const counted = { outcome, failedTests }
  if (owner.kind === 'main') endMainRun(step, run, owner.group, counted)
  else if (owner.kind === 'bisection') endBisectionRun(step, run, owner.bisection, counted)
  else endTipRun(step, run, counted)
}

/** The branch was tested by itself, unless the run was lost and is to be repeated. Rules: E-232 to E-234. */
function endTipRun(step: Step, run: TestRun, end: RunEnd): void {
  const retry = retryOf(step, run, end)
  if (retry) step.emit({ type: 'tipRetryPlanned', retry })
  else if (end.outcome === 'passed') tipHasPassed(step, run.id, run.tip, run.quarantined)
  else tipHasFailed(step, run, reasonOf(end.outcome), end.failedTests)
}

/** Returns the retry of a lost run; null if the run is not repeated. */
function retryOf(step: Step, run: TestRun, { outcome }: RunEnd): Retry | null {
  const afterMinutes = retryAfterMinutes[run.attempt]
  if (outcome !== 'errored' || afterMinutes === undefined) return null
  return { of: run, notBefore: step.at + afterMinutes * minuteMs, attempt: run.attempt + 1 }
}

function endMainRun(step: Step, run: TestRun, id: GroupId, end: RunEnd): void {
  const group = step.queue.groups[id]
  if (!group) throw new Error(`test run ${run.id} belongs to no group`)
  const retry = retryOf(step, run, end)
  if (retry) restartGroup(step, group, 'TEST_RUNNER_ERROR', retry)
  else if (end.outcome === 'passed') pass(step, group, run)
  else failGroup(step, group, run, end)
}

function endBisectionRun(step: Step, run: TestRun, id: BisectionId, end: RunEnd): void {
  const bisection = step.queue.bisections.find((each) => each.id === id)
  if (!bisection) return
  // Of a run that cannot change what is known, a pass is kept for when a member leaves.
  if (end.outcome !== 'passed' && !matters(bisection, run)) return
  if (end.outcome === 'errored' && giveUpSecondLook(step, bisection, run)) return
  const retry = retryOf(step, run, end)
  if (retry) {
    step.emit({ type: 'bisectionRetryPlanned', bisection: id, retry })
    return
  }
  const { outcome, failedTests } = end
  const verdict =
    outcome === 'passed'
      ? ({ outcome, reason: null, failedTests: [] } as const)
      : ({ outcome: 'failed', reason: reasonOf(outcome), failedTests } as const)
  step.emit({ type: 'bisectionVerdictReached', bisection: id, run, ...verdict })
}

/**
 * A second look that nobody needed is not repeated when it is lost: the failure of the batch stands.
 * Returns false for any other run.
 */
function giveUpSecondLook(step: Step, bisection: BisectionView, { composition }: TestRun): boolean {
  const known = bisection.verdicts[composition]
  if (!known || !isUnconfirmedFailureOfBatch(known)) return false
  if (isDoubtful(step.queue, bisection, { composition, verdict: known })) return false
  const { run, outcome, reason, failedTests } = known
  const verdict = { run, outcome, reason, failedTests: [...failedTests] } as const
  step.emit({ type: 'bisectionVerdictReached', bisection: bisection.id, ...verdict })
  return true
}

function pass(step: Step, group: GroupView, run: TestRun): void {
  if (isOnlyScreening(step.queue, group, run)) {
    step.emit({ type: 'groupScreened', group: group.id })
    moveAll(step, group.members, 'PENDING', 'SCREENING_TEST_RUN_PASSED', run.id)
    return
  }
  step.emit({ type: 'groupPassed', group: group.id, run })
  passAll(step, group.members, 'TEST_RUN_PASSED', run)
  if (!step.queue.configuration.canOptimisticallyMerge) return
  for (const ahead of groupsInLine(step.queue)) {
    if (ahead.id === group.id) return
    if (holdsGroup(step.queue, run, ahead) && ahead.phase.kind !== 'passed') clear(step, ahead, run)
  }
}

/** True if the run tested the group alone, and not all that a run on top would test by now. E-190 */
function isOnlyScreening(queue: QueueView, group: GroupView, run: TestRun): boolean {
  return run.screening === true && (group.overtaken === true || hasPredecessor(queue, group))
}

/**
 * Optimistic merging: a passing run clears each group it contains, also one whose own run failed.
 */
function clear(step: Step, group: GroupView, run: TestRun): void {
  const { phase } = group
  if (phase.kind === 'testing') {
    const cause = 'SUCCESSOR_TEST_RUN_PASSED'
    step.emit({ type: 'testRunCancelled', testRun: phase.run.id, cause })
  }
  if (phase.kind === 'failed' && shows(run.quarantined ?? [], phase.failedTests.map(testKey))) {
    contradictFailure(step, phase.run.id, [])
  }
  step.emit({ type: 'groupPassed', group: group.id, run })
  for (const number of [...group.members]) {
    // A pull request that waits for its run passes through TESTING without a run.
    if (step.queue.pullRequests[number]?.state === 'PENDING') move(step, number, 'TESTING', null)
    move(step, number, 'TESTS_PASSED', 'SUCCESSOR_TEST_RUN_PASSED', passedBy(run))
  }
}

function failGroup(step: Step, group: GroupView, run: TestRun, end: RunEnd): void {
  const { failedTests } = end
  const testRun = run.id
  const failed = { group: group.id, testRun, reason: reasonOf(end.outcome), failedTests }
  const isAside = onFailure(step.queue, run) === 'step aside'
  step.emit({ type: 'groupFailed', ...failed, ...(isAside ? { aside: true } : {}) })
  moveAll(step, group.members, 'PENDING_FAILURE', null, testRun)
  if (!isAside) return
  restartLineWithout(step, group.members, 'PREREQUISITE_MERGE_ITEM_FAILED', group.id)
}

function reasonOf(outcome: RunEnd['outcome']): RunFailureReason {
  if (outcome === 'errored') return 'START_TEST_RUN_RETRY_EXHAUSTED'
  return outcome === 'timed_out' ? 'TEST_RUN_TIMEOUT' : 'TEST_RUN_REQUIRED_STATUS_FAILED'
}

// Flakes: verdicts that another verdict contradicts, and the tests that caused them.
//
// Rule: E-82.

/** Records a verdict and compares it with earlier verdicts of the same composition. */
function recordVerdict(
  step: Step,
  run: TestRun,
  outcome: 'passed' | 'failed',
  failed: readonly TestName[],
): void {
  const { id: testRun, composition, quarantined } = run
  const failedTests = failed.map(testKey)
  const before = verdictsOn(step.queue, composition)
  const excused = quarantined ? { quarantined: true as const } : {}
  step.emit({ type: 'verdictRecorded', testRun, composition, outcome, failedTests, ...excused })
  const own = { run: testRun, outcome, failedTests, ...excused }
  for (const other of before) {
    const [one, two] = outcome === 'failed' ? [own, other] : [other, own]
    // In a pass, failed tests count only if that is one because of the quarantine.
    const despite = two.outcome === 'failed' || two.quarantined ? two.failedTests : []
    const isShown = other.outcome !== outcome && shows(despite, one.failedTests)
    const flakyTests = symmetricDifference(one.failedTests, despite)
    if (isShown) contradictFailure(step, one.run, flakyTests)
    else if (flakyTests.length > 0) step.emit({ type: 'flakyTestsSeen', flakyTests })
  }
}

/**
 * True if a pass in which these tests failed all the same shows that a failure was a flake: a test failed there,
 * and not in the pass. Rule: E-274.
 */
const shows = (despite: readonly string[], failedTests: readonly string[]): boolean =>
  despite.length === 0 || failedTests.some((test) => !despite.includes(test))

/**
 * The recorded verdicts of this composition; mostly none. Looks at the marks first, because they lie side by
 * side in memory, and the verdicts do not.
 */
function verdictsOn(
  { verdicts, verdictMarks }: QueueView,
  composition: CompositionKey,
): RecordedVerdict[] {
  const found: RecordedVerdict[] = []
  const mark = markOf(composition)
  for (let index = verdictMarks.indexOf(mark); index >= 0;) {
    const verdict = verdicts[index]
    if (verdict?.composition === composition) found.push(verdict)
    index = verdictMarks.indexOf(mark, index + 1)
  }
  return found
}

/**
 * Marks a failure as a flake, at most once per failure. A successor may have cleared it before the
 * same composition passed: then the tests that failed become known only now.
 */
function contradictFailure(step: Step, testRun: TestRunId, failedTests: readonly string[]): void {
  const { verdicts } = step.queue
  const verdict = verdicts.find(({ run }) => run === testRun)
  if (!verdict?.contradicted) {
    step.emit({ type: 'verdictContradicted', testRun, flakyTests: failedTests })
    return
  }
  const flakyTests = failedTests.filter((test) => !hasFlaked(step.queue, test))
  if (flakyTests.length > 0) step.emit({ type: 'flakyTestsSeen', flakyTests })
}

/** Tests that failed in exactly one of two runs of the same composition. */
function symmetricDifference(some: readonly string[], others: readonly string[]): string[] {
  return [
    ...some.filter((test) => !others.includes(test)),
    ...others.filter((test) => !some.includes(test)),
  ]
}
