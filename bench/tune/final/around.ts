/** What each axis does around the choice, and which of its values make no difference. */

import type { Trial } from '../search/run-settings.ts'
import { effectOf, pairsOf } from './effects.ts'
import { meanOf } from './verdict.ts'

const confidence = 0.95

/** True if two settings surely differ by less than the least effect, and are as safe. */
export function isNoDifference(trial: Trial, other: Trial, leastPercent: number): boolean {
  if (trial.isTooSlow || other.isTooSlow) return false
  const isSame = (['p95', 'ciMinutes'] as const).every((name) => {
    const pairs = pairsOf(name, [trial.runs, other.runs], leastPercent)
    return pairs !== null && effectOf(pairs, confidence).reading === 'no difference'
  })
  return isSame && (['unproven', 'evicted'] as const).every((name) => {
    const [a, b] = [meanOf(trial.runs, name), meanOf(other.runs, name)]
    return Math.abs(a - b) <= Math.max(1, (b * leastPercent) / 100)
  })
}
