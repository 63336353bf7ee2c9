/** How the choice compares with its neighbours, which differ from it on one axis. */

import { judgedTogether } from '../../statistics/least-effect.ts'
import type { Trial } from '../search/run-settings.ts'
import type { Preference } from '../figures/wishes.ts'
import { pairsOf, scorePairs } from './effects.ts'
import { meanCount } from './verdict.ts'

/** True if two settings surely differ by less than the least effect, and are as safe. */
export function isNoDifference(trial: Trial, other: Trial, least: number): boolean {
  if (trial.isTooSlow || other.isTooSlow) return false
  const isSame = (['p95', 'ciMinutes'] as const).every((name) => {
    const [judged] = judgedTogether([pairsOf(name, trial.runs, other.runs)], least)
    return judged?.verdict.kind === 'no difference'
  })
  return (
    isSame &&
    (['unproven', 'evicted'] as const).every((name) => {
      const [a, b] = [meanCount(trial.runs, name), meanCount(other.runs, name)]
      return Math.abs(a - b) <= Math.max(1, b * least)
    })
  )
}

type Judged = { readonly preference: Preference; readonly least: number }

/**
 * Returns the neighbours that are surely better than the choice by the least effect: the same rule
 * by which the choice stands against today's. It is corrected for the number of neighbours.
 */
export function surelyBetter(
  neighbours: readonly Trial[],
  choice: Trial,
  { preference, least }: Judged,
): Trial[] {
  const pairs = neighbours.map(({ runs }) => scorePairs(preference, runs, choice.runs))
  const judged = judgedTogether(pairs, least)
  return neighbours.filter((_, index) => judged[index]?.verdict.kind === 'do')
}
