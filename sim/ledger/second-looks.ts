/**
 * Second looks: further runs of the batch whose failure began a bisection. Rules: E-81, E-85, E-141,
 * E-142, E-202.
 */

import type { BisectionId, TestRun } from '../../engine/index.ts'
import { provenState, testsAPrefix, type BisectionRecord, type Bisections } from './bisections.ts'
import { extend, type CompositionNode } from './composition.ts'
import type { Flakes } from './flakes.ts'
import type { MootRuns } from './moot-runs.ts'
import type { Odds } from './odds.ts'
import type { Projection } from './projection.ts'
import { retriesAtMost } from './retries.ts'
import type { RunRecord, TestRunsProjection } from './test-runs.ts'

export type SecondLooks = Projection & {
  /** Whether the run tests again what the failed batch of its bisection tested. */
  isSecondLook(run: TestRun): boolean
  /** Whether a second look of the bisection is under way. */
  isUnderWay(bisection: BisectionId): boolean
  /**
   * Whether the failure of the batch must be confirmed before it convicts a member, also if the
   * confirmation has to wait for a slot.
   */
  isNeeded(bisection: BisectionId): boolean
  /** Whether a lost run is not repeated because it was a second look that nobody needs. */
  isGivenUp(run: TestRun): boolean
  /**
   * Whether the run of the batch is the only failure of the bisection and all that is known of the
   * open members, and it was not made a second time. Runs that could not change what is known do
   * not count.
   */
  isOpen(bisection: BisectionRecord): boolean
}

/** Reads runs and flakes as they were before an event, so it is updated before them. */
export function secondLooks(
  bisections: Bisections,
  runs: TestRunsProjection,
  { flakes, moot, odds }: { readonly flakes: Flakes; readonly moot: MootRuns; readonly odds: Odds },
): SecondLooks {
  /** Bisections whose second look was lost and is not repeated. */
  const lost = new Set<BisectionId>()

  const batchOf = (id: BisectionId): RunRecord | undefined => {
    for (const record of runs.ofBisection(id)) if (record.run.owner.kind === 'main') return record
    return undefined
  }
  const isSecondLook = (run: TestRun): boolean => {
    const { owner } = run
    const bisection = owner.kind === 'main' ? undefined : bisections.all.get(owner.bisection)
    const whole = bisection ? batchOf(bisection.id)?.fullComposition : undefined
    if (!bisection || !whole) return false
    const record = runs.underWay.get(run.id)
    if (record) return record.fullComposition === whole
    // Most runs end with another content, and need not be put together.
    const [last = null] = bisection.contentsOf(run.tested.slice(-1))
    return Object.is(last, whole.content) && runs.fullCompositionOf(run) === whole
  }
  const isUnderWay = (id: BisectionId): boolean => {
    const whole = batchOf(id)?.fullComposition
    for (const { run, fullComposition } of runs.underWay.values()) {
      const { owner } = run
      if (fullComposition === whole && owner.kind === 'bisection' && owner.bisection === id)
        return true
    }
    return false
  }
  const isNeeded = (id: BisectionId): boolean => {
    const batch = batchOf(id)
    if (batch === undefined || batch.outcome !== 'failed') return true
    return flakes.isDoubted(batch.run.id) || isUnsure(bisections.all.get(id))
  }
  /** Whether the batch failed for its last open member alone, and the odds do not convict it. */
  const isUnsure = (bisection: BisectionRecord | undefined): boolean =>
    bisection?.open.length === 1 && odds.areLow(bisection)
  const wholeOf = (bisection: BisectionRecord): CompositionNode =>
    extend(provenState(bisection), bisection.contentsOf(bisection.open))
  const isGivenUp = (run: TestRun): boolean => {
    const { owner } = run
    const bisection = owner.kind === 'main' ? undefined : bisections.all.get(owner.bisection)
    if (!bisection || !isSecondLook(run) || isConfirmed(bisection)) return false
    // After a conviction it is not about the open members any more.
    const isMoot = wholeOf(bisection) !== batchOf(bisection.id)?.fullComposition
    return isMoot || !isNeeded(bisection.id)
  }
  /** Whether the batch was looked at once more already: further runs are those that the odds demand. */
  const isConfirmed = ({ id }: BisectionRecord): boolean => {
    const batch = batchOf(id)
    if (lost.has(id)) return true
    for (const record of runs.ofBisection(id)) {
      const isSame = record !== batch && record.fullComposition === batch?.fullComposition
      if (isSame && isVerdict(record) && !moot.of(id).has(record.run.id)) return true
    }
    return false
  }
  const isVerdict = ({ run, outcome }: RunRecord): boolean =>
    outcome === 'errored' ? run.attempt === retriesAtMost : outcome !== 'cancelled'

  return {
    isSecondLook,
    isUnderWay,
    isNeeded,
    isGivenUp,
    isOpen(bisection) {
      const { id, open } = bisection
      if (open.length === 0 || lost.has(id)) return false
      const batch = batchOf(id)
      if (wholeOf(bisection) !== batch?.fullComposition) return false
      /** A later verdict on a composition replaces an earlier one. */
      const outcomes = new Map<CompositionNode, RunRecord['outcome']>()
      for (const record of runs.ofBisection(id)) {
        if (record !== batch && isVerdict(record) && !moot.of(id).has(record.run.id)) {
          outcomes.set(record.fullComposition, record.outcome)
        }
      }
      for (const [tested, outcome] of outcomes) {
        if (outcome !== 'passed' || testsAPrefix(bisection, tested)) return false
      }
      return true
    },
    on: {
      testRunFinished({ testRun, outcome }) {
        const run = runs.underWay.get(testRun)?.run
        if (outcome !== 'errored' || run?.owner.kind !== 'bisection') return
        if (isGivenUp(run)) lost.add(run.owner.bisection)
      },
      bisectionEnded: ({ bisection }) => void lost.delete(bisection),
    },
  }
}
