/**
 * The tip by itself: what is known of it, and whether it is to be tested.
 *
 * A pull request may fail although it is innocent, because the branch itself fails: somebody pushed, or the
 * test command is wrong. Rules: E-230 to E-237.
 */

import type {
  BisectionView,
  QueueView,
  RecordedVerdict,
  TestName,
  TestRun,
  TestRunId,
  Tip,
  TipFailure,
} from './state.ts'
import { testsTip } from './policy.ts'
import type { RunFailureReason } from './pull-request.ts'
import { areInForce, isKnownToFlake } from './quarantine.ts'
import { testKey } from './ids.ts'

export const tipOf = ({ tip }: QueueView): Tip => ({
  tip: tip.number,
  composition: tip.composition,
})

/** The latest run that passed on this composition, of the last 100 verdicts; null for none. */
export const passedRunOn = (queue: QueueView, composition: string): TestRunId | null =>
  latestPass(queue, composition, () => true)?.run ?? null

/**
 * The latest pass on this composition that proves that it passes, of the last 100 verdicts; undefined for none. One
 * with failures that were in quarantine proves nothing once one of them is not any more. Rule: E-278.
 */
export const proofOn = (queue: QueueView, composition: string): RecordedVerdict | undefined =>
  latestPass(
    queue,
    composition,
    ({ quarantined, failedTests }) => !quarantined || areInForce(queue, failedTests, queue.now),
  )

const latestPass = (
  { verdicts }: QueueView,
  composition: string,
  counts: (verdict: RecordedVerdict) => boolean,
): RecordedVerdict | undefined =>
  verdicts.findLast(
    (verdict) =>
      verdict.composition === composition && verdict.outcome === 'passed' && counts(verdict),
  )

/** The failure of the branch by itself, as long as no tip has passed since; null if none is known. */
export function failureOfTip(
  queue: Pick<QueueView, 'configuration' | 'tipTest'>,
): TipFailure | null {
  return testsTip(queue) ? (queue.tipTest?.failure ?? null) : null
}

/** The test run of a tip by itself that is under way; there is one at most. */
export function tipRunOf({ testRuns }: Pick<QueueView, 'testRuns'>): TestRun | undefined {
  return Object.values(testRuns).find(({ owner }) => owner.kind === 'tip')
}

/**
 * True if that tip is known to pass by a run that began after run `after`: a run of the queue on exactly
 * this, or one on an earlier tip by itself, if since then the branch has got only what passed its tests.
 * Rules: E-230, E-236.
 */
export function isSound(queue: QueueView, { tip, composition }: Tip, after: TestRunId): boolean {
  if ((proofOn(queue, composition)?.run ?? 0) > after) return true
  return (queue.tipTest?.run ?? 0) > after && soundFrom(queue) <= tip
}

/** The first tip from which on the branch is known to pass by tests of the tip itself; else infinity. */
export function soundFrom(queue: QueueView): number {
  const { tipTest, pushedAt = 0 } = queue
  if (tipTest?.failure !== null || tipTest.tip < pushedAt) return Infinity
  if (!areInForce(queue, tipTest.leansOn ?? [], queue.now)) return Infinity
  return tipTest.soundFrom ?? tipTest.tip
}

/**
 * The run after which the tip must have passed before a failure counts: a timeout or a lost run may be that
 * of a limit, a set-up or a machine, so an earlier pass shows nothing. 0 for failed tests. Rule: E-236.
 */
export const provenAfter = (reason: RunFailureReason | null, run: TestRunId): TestRunId =>
  reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' ? 0 : run

/**
 * True if the tip has passed after it failed by itself: a run of the queue has passed on exactly this, and
 * another commit is on the branch by now.
 */
export function isMended(queue: QueueView): boolean {
  const { tipTest, tip } = queue
  if (!tipTest?.failure || tipTest.tip === tip.number) return false
  return proofOn(queue, tip.composition) !== undefined
}

/**
 * True if the same test failed in two runs that share no pull request: either may be innocent. Tests that
 * are known to flake do not count. Rule: E-231.
 */
export function failsAlike(queue: QueueView): boolean {
  const failures = standingFailures(queue)
  return failures.some((one, at) => failures.slice(at + 1).some((other) => isAlike(one, other)))
}

type Failure = { readonly run: Pick<TestRun, 'submissions'>; readonly tests: readonly string[] }

/** The failures of the line and of bisections in which tests have failed that are not known to flake. */
function standingFailures(queue: QueueView): Failure[] {
  const { phases, groups, bisections } = queue
  const found: Failure[] = []
  const add = (run: Failure['run'], failedTests: readonly TestName[]): void => {
    const tests = failedTests.map(testKey).filter((test) => !isKnownToFlake(queue, test))
    if (tests.length > 0) found.push({ run, tests })
  }
  for (const id of phases.failed) {
    const phase = groups[id]?.phase
    if (phase?.kind === 'failed') add(phase.run, phase.failedTests)
  }
  for (const { verdicts } of bisections) {
    for (const { run, failedTests } of Object.values(verdicts)) add(run, failedTests)
  }
  return found
}

function isAlike(one: Failure, other: Failure): boolean {
  return (
    one.tests.some((test) => other.tests.includes(test)) &&
    !one.run.submissions.some((content) => other.run.submissions.includes(content))
  )
}

/** The tip on which a bisection is pinned. */
export const pinnedTip = ({ tip, composition }: BisectionView): Tip => ({ tip, composition })
