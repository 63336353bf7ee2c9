/**
 * Flakes: verdicts that another verdict contradicts, and the tests that caused them.
 *
 * Rule: E-82.
 */

import { markOf, type CompositionKey } from '../model/composition.ts'
import type { QueueView, RecordedVerdict, TestName, TestRun, TestRunId } from '../model/state.ts'
import { testKey } from '../model/tests.ts'
import type { Step } from '../evolve/step.ts'

/** Records a verdict and compares it with earlier verdicts of the same composition. */
export function recordVerdict(
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
export const shows = (despite: readonly string[], failedTests: readonly string[]): boolean =>
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
export function contradictFailure(
  step: Step,
  testRun: TestRunId,
  failedTests: readonly string[],
): void {
  const { verdicts, flakyTests: known } = step.queue
  const verdict = verdicts.find(({ run }) => run === testRun)
  if (!verdict?.contradicted) {
    step.emit({ type: 'verdictContradicted', testRun, flakyTests: failedTests })
    return
  }
  const flakyTests = failedTests.filter((test) => !known[test])
  if (flakyTests.length > 0) step.emit({ type: 'flakyTestsSeen', flakyTests })
}

/** Tests that failed in exactly one of two runs of the same composition. */
function symmetricDifference(some: readonly string[], others: readonly string[]): string[] {
  return [
    ...some.filter((test) => !others.includes(test)),
    ...others.filter((test) => !some.includes(test)),
  ]
}
