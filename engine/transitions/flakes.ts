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
  const { id: testRun, composition } = run
  const failedTests = failed.map(testKey)
  const before = verdictsOn(step.queue, composition)
  step.emit({ type: 'verdictRecorded', testRun, composition, outcome, failedTests })
  for (const other of before) {
    if (other.outcome !== outcome) {
      const failure = outcome === 'failed' ? { run: testRun, failedTests } : other
      contradictFailure(step, failure.run, failure.failedTests)
    } else {
      const flakyTests = symmetricDifference(other.failedTests, failedTests)
      if (flakyTests.length > 0) step.emit({ type: 'flakyTestsSeen', flakyTests })
    }
  }
}

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
