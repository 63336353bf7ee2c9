/** The last verdicts of the queue, from which it recognises flakes. Rules: E-82, E-181. */

import { testKey, type EventOf, type TestRunId } from '../../engine/index.ts'
import type { CompositionNode } from './composition.ts'
import { Latest } from './latest.ts'
import type { Projection } from './projection.ts'
import type { TestRunsProjection } from './test-runs.ts'

/** A run that passed or failed. A timeout or a lost run says nothing about the tests. */
export type Verdict = {
  readonly run: TestRunId
  readonly outcome: 'passed' | 'failed'
  readonly composition: CompositionNode
  readonly failedTests: readonly string[]
}

export type Verdicts = Projection & {
  /** The remembered verdicts on this composition, the earliest first. */
  of(composition: CompositionNode): readonly Verdict[]
  /** The share of the remembered verdicts that were contradicted; 0 while there are none. */
  readonly contradictedShare: number
  /** The verdict that the end of a run gives; null if it gives none. */
  verdictOf(event: EventOf<'testRunFinished'>): Verdict | null
}

/** How many of the last verdicts the queue remembers. */
const remembered = 100

/** Reads the runs as they were before one ended, so it is updated before them. */
export function verdicts(runs: TestRunsProjection): Verdicts {
  const latest = new Latest<Verdict>(remembered)
  const contradicted = new Set<TestRunId>()

  const verdictOf = (event: EventOf<'testRunFinished'>): Verdict | null => {
    const { testRun: run, outcome, failedTests } = event
    const composition = runs.underWay.get(run)?.fullComposition
    if (!composition || (outcome !== 'passed' && outcome !== 'failed')) return null
    return { run, outcome, composition, failedTests: failedTests.map(testKey) }
  }

  return {
    on: {
      testRunFinished(event) {
        const verdict = verdictOf(event)
        const forgotten = verdict ? latest.add(verdict) : undefined
        if (forgotten) contradicted.delete(forgotten.run)
      },
      verdictContradicted({ testRun }) {
        if (latest.some(({ run }) => run === testRun)) contradicted.add(testRun)
      },
    },
    get contradictedShare() {
      return latest.length === 0 ? 0 : contradicted.size / latest.length
    },
    of: (composition) => latest.of(composition),
    verdictOf,
  }
}
