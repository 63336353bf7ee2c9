/** What several seeds tell about the mean of a figure. */

import { bootstrapT } from './bootstrap-t.ts'
import { boundsOf, meanOf, standardErrorOf } from './mean.ts'
import { studentQuantile } from './student-t.ts'

/**
 * `always`: every seed gave this value, so nothing is known of other values. `seen`: too few seeds
 * for an interval; only the range that they gave. `interval`: the mean with its confidence interval.
 */
export type Interval =
  | { readonly kind: 'always'; readonly value: number; readonly seeds: number }
  | {
      readonly kind: 'seen'
      readonly mean: number
      readonly least: number
      readonly most: number
      readonly seeds: number
    }
  | {
      readonly kind: 'interval'
      readonly mean: number
      readonly low: number
      readonly high: number
      readonly seeds: number
    }

/** With fewer seeds, too many intervals of a skewed figure miss the mean. */
export const fewestForInterval = 10

/** With more seeds, means are hardly skewed, and bootstrap-t would say the same as Student's t. */
export const mostForBootstrap = 1000

/** No end is further from the mean than this many times Student's t. */
const widest = 3

/**
 * Returns the mean of at least one figure, none of them negative, with its 95 % interval: at each
 * end the wider of Student's t and bootstrap-t, at most three times Student's t. Student's t alone
 * misses means of skewed figures too often, nearly always by an interval below them, until there are
 * very many seeds.
 */
export function intervalOf(values: readonly number[]): Interval {
  const seeds = values.length
  const early = withoutInterval(values, fewestForInterval)
  if (early) return early
  const [mean, error] = [meanOf(values), standardErrorOf(values)]
  const t = studentQuantile(0.975, seeds - 1)
  const drawn = (seeds > mostForBootstrap ? null : bootstrapT(values)) ?? { low: -t, high: t }
  const above = clamped(-drawn.low, t)
  const below = clamped(drawn.high, t)
  // The mean of figures that cannot be negative is not negative.
  const floor = Math.min(0, boundsOf(values).least)
  const low = Math.max(floor, mean - below * error)
  return { kind: 'interval', mean, low, high: mean + above * error, seeds }
}

const clamped = (errors: number, t: number): number => Math.min(widest * t, Math.max(t, errors))

/** Returns what is known without an interval; null if the values allow one. */
export function withoutInterval(values: readonly number[], fewest: number): Interval | null {
  const seeds = values.length
  const { least, most } = boundsOf(values)
  if (seeds > 1 && least === most) return { kind: 'always', value: least, seeds }
  return seeds < fewest ? { kind: 'seen', mean: meanOf(values), least, most, seeds } : null
}

/** The mean, however much is known about it. */
export function centreOf(interval: Interval): number {
  return interval.kind === 'always' ? interval.value : interval.mean
}

/** The line of a chart: as long as the interval, and without length where there is none. */
export function lineOf(interval: Interval): { readonly low: number; readonly high: number } {
  const centre = centreOf(interval)
  return interval.kind === 'interval' ? endsOf(interval) : { low: centre, high: centre }
}

/** The lowest and the highest value to show: the interval, the range seen, or the value itself. */
export function endsOf(interval: Interval): { readonly low: number; readonly high: number } {
  switch (interval.kind) {
    case 'always':
      return { low: interval.value, high: interval.value }
    case 'seen':
      return { low: interval.least, high: interval.most }
    case 'interval':
      return { low: interval.low, high: interval.high }
  }
}
