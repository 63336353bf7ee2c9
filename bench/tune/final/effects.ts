/**
 * Effects: how a setting differs from another one on the same seeds. Durations and costs are
 * compared as ratios, counts as differences, because many counts are zero.
 */

import type { JudgedEffect } from '../../statistics/least-effect.ts'
import { pairedCounts, pairedRatios, type Paired } from '../../statistics/ratio.ts'
import type { EffectResult } from './results.ts'
import { ratioFigures, type FigureName, type TuneFigures } from '../figures/figures.ts'
import { scoreOf, type Preference } from '../figures/wishes.ts'

type Runs = readonly TuneFigures[]

/** Pairs one figure of two settings by seed. A seed without a value leaves no pairs at all. */
export function pairsOf(name: FigureName, setting: Runs, other: Runs): Paired {
  const [a, b] = [setting.map((run) => run[name]), other.map((run) => run[name])]
  if ([...a, ...b].includes(null)) return nothing
  return ratioFigures.has(name) ? pairedRatios(a, b) : pairedCounts(a, b)
}

/** Pairs the scores of two settings: logarithms of ratios, or counts of unproven merges. */
export function scorePairs(wish: Preference, setting: Runs, other: Runs): Paired {
  if (wish === 'safety') return pairsOf('unproven', setting, other)
  const values = setting.flatMap((run, index) => {
    const before = other[index]
    const [a, b] = [scoreOf(run, wish), before ? scoreOf(before, wish) : null]
    return a === null || b === null ? [] : [a - b]
  })
  return values.length < setting.length ? nothing : { measure: 'ratio', values, of: null }
}

const nothing: Paired = { measure: 'difference', values: [], of: null }

/** What the document says of a judged effect; null if there are no pairs. */
export function effectResult({ effect, verdict }: JudgedEffect): EffectResult | null {
  return effect && { ...effect, verdict }
}
