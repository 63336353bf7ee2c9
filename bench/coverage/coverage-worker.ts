/**
 * The entry point of a worker thread: counts how often intervals of small samples hold the truth.
 */

import { sequenceOf } from '../../sim/random/draw.ts'
import { centreOf, intervalOf, type Interval } from '../../sim/statistics/interval.ts'
import { meanOf } from '../../sim/statistics/mean.ts'
import { effectOf, pairedCounts, pairedRatios, type Paired } from '../statistics/ratio.ts'

export type CoverageTask = {
  /** The values of all seeds. Blocks are drawn from them, so that their mean is the truth. */
  readonly values: readonly (number | null)[]
  /** The other setting on the same seeds, for a comparison; null for a mean. */
  readonly others: readonly (number | null)[] | null
  /** True for a count, which is compared by differences. */
  readonly isCount: boolean
  readonly seedsOfBlock: number
  readonly blocks: number
}

export type Coverage = {
  /** The shares of intervals that hold the truth, lie below it and lie above it. */
  readonly held: number
  readonly below: number
  readonly above: number
  /** The mean width as a share of the truth. */
  readonly width: number
}

// The pool calls a default export or an export of this name.
export function coverageWorker(task: CoverageTask): Coverage {
  const { values, others, isCount, seedsOfBlock, blocks } = task
  const all = values.map((value, index) => ({ value, other: others?.[index] ?? null }))
  const known = all.filter(({ value, other }) => value !== null && (!others || other !== null))
  const next = sequenceOf(1, `blocks of ${seedsOfBlock}`)
  const intervalIn = (seeds: typeof known): Interval | null => {
    const first = seeds.flatMap(({ value }) => value ?? [])
    const second = seeds.flatMap(({ other }) => other ?? [])
    return others === null ? intervalOf(first) : (effectOf(pairs(first, second))?.size ?? null)
  }
  const pairs = isCount || hasZero(known) ? pairedCounts : pairedRatios
  const truth = truthOf(known, { isPaired: others !== null, pairs })
  let [below, above, width] = [0, 0, 0]
  for (let block = 0; block < blocks; block++) {
    const drawn = Array.from(
      { length: seedsOfBlock },
      () => known[Math.floor(next() * known.length)],
    )
    const interval = intervalIn(drawn.filter((seed) => seed !== undefined))
    const { low, high } = interval ? shownEnds(interval) : { low: NaN, high: NaN }
    if (high < truth) below++
    else if (low > truth) above++
    width += (high - low) / Math.abs(truth)
  }
  const misses = (below + above) / blocks
  return { held: 1 - misses, below: below / blocks, above: above / blocks, width: width / blocks }
}

type Known = readonly { readonly value: number | null; readonly other: number | null }[]
type Pairing = (a: readonly number[], b: readonly number[]) => Paired

/** A figure that is zero with any seed is compared by differences, in every block. */
function hasZero(known: Known): boolean {
  return known.some(({ value, other }) => value === 0 || other === 0)
}

/** The mean, or the mean effect: that of the logarithms for a ratio. */
function truthOf(
  known: Known,
  { isPaired, pairs }: { readonly isPaired: boolean; readonly pairs: Pairing },
): number {
  const first = known.flatMap(({ value }) => value ?? [])
  if (!isPaired) return meanOf(first)
  const { measure, values } = pairs(
    first,
    known.flatMap(({ other }) => other ?? []),
  )
  return measure === 'ratio' ? Math.exp(meanOf(values)) : meanOf(values)
}

/** The interval; a value that is always the same is an interval without width. */
function shownEnds(interval: Interval): { readonly low: number; readonly high: number } {
  if (interval.kind === 'interval') return interval
  const centre = centreOf(interval)
  return { low: centre, high: centre }
}
