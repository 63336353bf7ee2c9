/** Which values of an axis make no difference to the choice. */

import { judgedTogether } from '../../statistics/least-effect.ts'
import type { Trial } from '../search/run-settings.ts'
import { pairsOf } from './effects.ts'
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
