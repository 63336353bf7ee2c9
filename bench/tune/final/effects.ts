/**
 * Effects: how a setting differs from another one on the same seeds. Durations and costs are
 * compared as ratios, counts as differences, because many counts are zero. All effects that decide
 * something are corrected together by the method of Holm.
 */

import { intervalOf } from '../../statistics/interval.ts'
import { ratioFigures, type FigureName, type TuneFigures } from '../figures.ts'
import type { EffectResult } from '../document.ts'

/** Paired values of one figure: logarithms of ratios, or differences. */
export type Pairs = {
  readonly kind: 'ratio' | 'difference'
  readonly values: readonly number[]
  /** Effects between these are smaller than the least effect. */
  readonly least: { readonly low: number; readonly high: number }
}

/** The scale of the least effect of a count without a mean: one. */
const leastCount = 1

/**
 * Pairs a figure of two settings by seed. A zero has no logarithm, so a figure with a zero is
 * compared by differences. Returns null if a seed has no value.
 */
export function pairsOf(
  name: FigureName,
  [setting, other]: readonly [readonly TuneFigures[], readonly TuneFigures[]],
  leastPercent: number,
): Pairs | null {
  const pairs = setting.map((run, index) => [run[name], other[index]?.[name] ?? null] as const)
  const known = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [[a, b] as const]))
  if (known.length === 0 || known.length < pairs.length) return null
  if (ratioFigures.has(name) && known.every(([a, b]) => a > 0 && b > 0)) {
    return logRatios(
      known.map(([a, b]) => Math.log(a / b)),
      leastPercent,
    )
  }
  const mean = known.reduce((sum, [, b]) => sum + b, 0) / known.length
  const size = Math.max(leastCount, mean) * (leastPercent / 100)
  return {
    kind: 'difference',
    values: known.map(([a, b]) => a - b),
    least: { low: -size, high: size },
  }
}

export function logRatios(values: readonly number[], leastPercent: number): Pairs {
  const share = leastPercent / 100
  return { kind: 'ratio', values, least: { low: Math.log(1 - share), high: Math.log(1 + share) } }
}

/** With fewer seeds an interval is not shown, and nothing is advised. */
export const fewestSeeds = 10

/** What may be said: an effect counts if it is surely larger than the least one. */
export function effectOf({ kind, values, least }: Pairs, confidence: number): EffectResult {
  const { mean, low, high } = intervalOf(values, confidence)
  const back = (value: number): number => (kind === 'ratio' ? Math.exp(value) : value)
  const reading = readingOf({ low, high }, least, values.length)
  return { kind, mean: back(mean), low: back(low), high: back(high), pairs: values.length, reading }
}

function readingOf(
  { low, high }: { readonly low: number; readonly high: number },
  least: Pairs['least'],
  pairs: number,
): EffectResult['reading'] {
  if (low === 0 && high === 0) return 'no difference'
  if (pairs < fewestSeeds) return 'cannot tell'
  if (high < least.low) return 'less'
  if (low > least.high) return 'more'
  return low >= least.low && high <= least.high ? 'no difference' : 'cannot tell'
}

/**
 * Returns how many more seeds would tell on which side of the least effect this one is; null if
 * that is more than anybody would run.
 */
export function moreSeedsFor({ values, least }: Pairs, confidence: number): number | null {
  const { mean, high } = intervalOf(values, confidence)
  const half = high - mean
  const distance = Math.min(Math.abs(mean - least.low), Math.abs(mean - least.high))
  if (distance === 0) return null
  const more = Math.ceil((values.length * (half / distance) ** 2 - values.length) / 10) * 10
  return more > mostMoreSeeds ? null : Math.max(10, more)
}

const mostMoreSeeds = 5000
