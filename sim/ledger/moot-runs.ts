/** Bisection runs that could not change what was known when they ended. Rule: E-85. */

import type { BisectionId, TestRunId } from '../../engine/index.ts'
import { testsAPrefix, type Bisections } from './bisections.ts'
import type { Projection } from './projection.ts'
import type { TestRunsProjection } from './test-runs.ts'

export type MootRuns = Projection & {
  /** The moot runs of a bisection under way. */
  of(bisection: BisectionId): ReadonlySet<TestRunId>
}

const none: ReadonlySet<TestRunId> = new Set()

/** Reads bisections and runs as they were before an event, so it is updated before them. */
export function mootRuns(bisections: Bisections, runs: TestRunsProjection): MootRuns {
  const moot = new Map<BisectionId, Set<TestRunId>>()
  return {
    of: (bisection) => moot.get(bisection) ?? none,
    on: {
      testRunFinished({ testRun }) {
        const record = runs.underWay.get(testRun)
        if (record?.run.owner.kind !== 'bisection') return
        const bisection = bisections.all.get(record.run.owner.bisection)
        if (!bisection || testsAPrefix(bisection, record.fullComposition)) return
        moot.set(bisection.id, (moot.get(bisection.id) ?? new Set()).add(testRun))
      },
      bisectionEnded: ({ bisection }) => void moot.delete(bisection),
    },
  }
}
