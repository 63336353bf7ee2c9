/**
 * What the queue can know of flakes: the tests that are known to flake, and the failures that were
 * contradicted. Rules: E-81, E-82.
 */

import type { TestRunId } from '../../engine/index.ts'
import type { Projection } from './projection.ts'

export type Flakes = Projection & {
  /** Whether the failure was contradicted, the queue is flaky, or one of the failed tests is. */
  isDoubted(testRun: TestRunId): boolean
}

/** A queue counts as flaky if more than this share of its last verdicts was contradicted. */
const flakyShare = 0.01
const verdictsCounted = 100

/** More failures than bisections under way refer to. */
const failuresKept = 2000

export function flakes(): Flakes {
  const known = new Set<string>()
  const contradicted = new Set<TestRunId>()
  const latest: TestRunId[] = []
  const failedIn = new Map<TestRunId, readonly string[]>()

  /** Null if it has to be computed again: there is a new verdict, or one was contradicted. */
  let isFlaky: boolean | null = null

  const isFlakyQueue = (): boolean => (isFlaky ??= shareContradicted() > flakyShare)
  const shareContradicted = (): number =>
    latest.filter((run) => contradicted.has(run)).length / latest.length
  const see = (tests: readonly string[]): void => {
    for (const test of tests) known.add(test)
  }

  return {
    isDoubted(testRun) {
      if (contradicted.has(testRun) || isFlakyQueue()) return true
      return (failedIn.get(testRun) ?? []).some((test) => known.has(test))
    },
    on: {
      verdictRecorded({ testRun, failedTests }) {
        isFlaky = null
        latest.push(testRun)
        if (failedTests.length > 0) failedIn.set(testRun, failedTests)
        if (latest.length > verdictsCounted) contradicted.delete(latest.shift() ?? 0)
        if (failedIn.size > failuresKept) failedIn.delete(failedIn.keys().next().value ?? 0)
      },
      verdictContradicted({ testRun, flakyTests }) {
        isFlaky = null
        contradicted.add(testRun)
        see(flakyTests)
      },
      flakyTestsSeen: ({ flakyTests }) => see(flakyTests),
    },
  }
}
