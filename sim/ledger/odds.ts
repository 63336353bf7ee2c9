/**
 * The odds that a pull request breaks the tests, and not only flakes failed them. Rules: E-200 to
 * E-203.
 */

import { provenState, type BisectionRecord } from './bisections.ts'
import { withOnTop, type CompositionNode } from './composition.ts'
import type { MootRuns } from './moot-runs.ts'
import type { Projection } from './projection.ts'
import type { SettingsProjection } from './queue-settings.ts'
import { retriesAtMost } from './retries.ts'
import type { RunRecord, TestRunsProjection } from './test-runs.ts'
import type { Verdicts } from './verdicts.ts'

export type Odds = Projection & {
  /** Whether a single pull request whose tests failed once is not convicted by that. */
  areLowForSingle(): boolean
  /** Whether the tests failed on the prefix of the first open member, and that does not convict it. */
  areLow(bisection: BisectionRecord): boolean
}

const leastOdds = 10 - 1e-9
const mostFailures = 5

/** The last verdict on a composition, and how often its tests failed. */
type Known = { readonly last: RunRecord['outcome']; readonly failures: number }

/** Reads runs as they were before an event, so it is updated before them. */
export function odds(
  { runs, verdicts }: { readonly runs: TestRunsProjection; readonly verdicts: Verdicts },
  moot: MootRuns,
  settings: SettingsProjection,
): Odds {
  const judged = { good: 0, bad: 0 }

  const knownOf = ({ id }: BisectionRecord, composition: CompositionNode): Known | null => {
    let last: RunRecord['outcome'] = null
    let failures = 0
    for (const record of runs.ofBisection(id)) {
      const { run, outcome, fullComposition } = record
      if (fullComposition !== composition || moot.of(id).has(run.id)) continue
      const isLost = outcome === 'errored' && run.attempt < retriesAtMost
      if (isLost || outcome === 'cancelled') continue
      last = outcome
      if (outcome === 'failed') failures++
    }
    return last && { last, failures }
  }
  /** `others`: the failures of a longer prefix, and how many more members it holds. */
  const areLow = (
    failures: number,
    others: { count: number; failures: number } | null,
  ): boolean => {
    if (settings.configuration.policy === 'documented' || failures >= mostFailures) return false
    const flake = verdicts.flakeRate
    const guilty = (1 + judged.bad) / (10 + judged.bad + judged.good)
    const othersFail = others
      ? 1 - (1 - flake ** others.failures) * (1 - guilty) ** others.count
      : 1
    return guilty / (1 - guilty) < leastOdds * flake ** failures * othersFail
  }

  return {
    areLowForSingle: () => areLow(1, null),
    areLow(bisection) {
      const [first, ...behind] = bisection.contentsOf(bisection.open)
      if (first === undefined) return false
      let composition = withOnTop(provenState(bisection), first)
      const own = knownOf(bisection, composition)
      if (own?.last !== 'failed') return false
      // E-201: a single pull request is always looked at once more.
      if (bisection.members.length === 1 && own.failures === 1) return true
      for (const [at, content] of behind.entries()) {
        composition = withOnTop(composition, content)
        const longer = knownOf(bisection, composition)
        if (!longer) continue
        return areLow(own.failures, { count: at + 1, failures: longer.failures })
      }
      return areLow(own.failures, null)
    },
    on: {
      pullRequestEnded({ to, reason, evidence }) {
        if (reason === 'MERGE_GRAPH_MERGE') judged.good++
        else if (to === 'FAILED' && (evidence?.failedIn ?? null) !== null) judged.bad++
      },
    },
  }
}
