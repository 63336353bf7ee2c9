/**
 * The tip by itself: what is known of it, and whether it is to be tested.
 *
 * A pull request whose failure no pair of runs shows may be innocent, because the branch itself fails:
 * somebody pushed, or the test command is wrong. Rules: E-229 to E-235.
 */

import type {
  BisectionView,
  QueueView,
  TestName,
  TestRun,
  TestRunId,
  Tip,
  TipFailure,
} from './state.ts'
import { testKey } from './tests.ts'

/** True if the tip is tested by itself before a pull request fails that no pair of runs convicts. Rule: E-229. */
export const testsTip = ({ configuration }: Pick<QueueView, 'configuration'>): boolean =>
  configuration.tipTestMode === 'always'

export const tipOf = ({ tip }: QueueView): Tip => ({
  tip: tip.number,
  composition: tip.composition,
})

/**
 * Returns the latest run that passed on this composition, of the last 100 verdicts; null for none.
 */
export function passedRunOn(queue: QueueView, composition: string): TestRunId | null {
  const verdict = queue.verdicts.findLast(
    (candidate) => candidate.composition === composition && candidate.outcome === 'passed',
  )
  return verdict?.run ?? null
}

/** The failure of the branch by itself, as long as no tip has passed since; null if none is known. */
export function failureOfTip(
  queue: Pick<QueueView, 'configuration' | 'tipTest'>,
): TipFailure | null {
  return testsTip(queue) ? (queue.tipTest?.failure ?? null) : null
}

/** The test run of a tip by itself that is under way; there is one at most. */
export function tipRunOf({ testRuns }: QueueView): TestRun | undefined {
  return Object.values(testRuns).find(({ owner }) => owner.kind === 'tip')
}

/**
 * True if that tip is known to pass: a run of the queue passed on exactly this, or an earlier tip passed
 * by itself and since then the branch has got only what passed its tests. Rule: E-230.
 */
export function isSound(queue: QueueView, { tip, composition }: Tip): boolean {
  if (passedRunOn(queue, composition) !== null) return true
  const { tipTest, pushedAt = 0 } = queue
  return tipTest?.failure === null && pushedAt <= tipTest.tip && tipTest.tip <= tip
}

/**
 * True if the tip has passed after it failed by itself: a run of the queue has passed on exactly this, and
 * another commit is on the branch by now.
 */
export function isMended(queue: QueueView): boolean {
  const { tipTest, tip } = queue
  if (!tipTest?.failure || tipTest.tip === tip.number) return false
  return passedRunOn(queue, tip.composition) !== null
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
function standingFailures({ phases, groups, bisections, flakyTests }: QueueView): Failure[] {
  const found: Failure[] = []
  const add = (run: Failure['run'], failedTests: readonly TestName[]): void => {
    const tests = failedTests.map(testKey).filter((test) => !flakyTests[test])
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
