/**
 * Telling flakes: verdicts that another verdict contradicts, and the tests to blame.
 *
 * Source: spec "Bisection" (cache): contradicted verdicts are counted and reported per test, and
 * never held against a pull request.
 */

import type { CompositionKey } from '../model/composition.ts'
import type { QueueView, RecordedVerdict, TestName, TestRun, TestRunId } from '../model/state.ts'
import { testKey } from '../model/tests.ts'
import type { Step } from '../step.ts'

/** Keeps a verdict, and looks for one on the same composition that says something else. */
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

/** What was said of this composition, of what is kept. Asked of every run, and most often nothing. */
function verdictsOn({ verdicts }: QueueView, composition: CompositionKey): RecordedVerdict[] {
  const found: RecordedVerdict[] = []
  for (const verdict of verdicts) {
    if (verdict.composition === composition) found.push(verdict)
  }
  return found
}

/** A failure turned out to be none. Said once per failure. */
export function contradictFailure(
  step: Step,
  testRun: TestRunId,
  flakyTests: readonly string[],
): void {
  const verdict = step.queue.verdicts.find(({ run }) => run === testRun)
  if (!verdict?.contradicted) step.emit({ type: 'verdictContradicted', testRun, flakyTests })
}

/** The run that passed on exactly this composition, if one of the last hundred verdicts did. */
export function passedRunOn(queue: QueueView, composition: string): TestRunId | null {
  const verdict = queue.verdicts.findLast(
    (candidate) => candidate.composition === composition && candidate.outcome === 'passed',
  )
  return verdict?.run ?? null
}

/** Tests that failed in one of two runs of the same thing and not in the other. */
function symmetricDifference(some: readonly string[], others: readonly string[]): string[] {
  return [
    ...some.filter((test) => !others.includes(test)),
    ...others.filter((test) => !some.includes(test)),
  ]
}
