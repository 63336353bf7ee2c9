/** Whether an effect is worth acting on: it must surely be larger than the least effect. */

import {
  endsOf,
  fewestForInterval,
  meanOf,
  standardErrorOf,
  studentQuantile,
  studentShare,
} from '../../sim/statistics/interval.ts'
import { type Effect, type Paired, effectOf } from './ratio.ts'

/** An effect below this share is no reason to change, unless another one is set. */
const leastEffect = 0.1

/**
 * `do`: surely less by at least the least effect. `do not`: surely more. `no difference`: surely
 * within the least effect. `cannot tell`: about so many more seeds would; null if no number of
 * seeds that anybody would run.
 */
export type EffectVerdict =
  | { readonly kind: 'do' | 'do not' | 'no difference' }
  | { readonly kind: 'cannot tell'; readonly moreSeeds: number | null }

export type JudgedEffect = { readonly effect: Effect | null; readonly verdict: EffectVerdict }

/**
 * Judges the effects of several comparisons in which less is better. All that are judged `do` or
 * `do not` are right together with 95 % (Holm's correction of the p-values of "the effect is within
 * the least effect"). The intervals have the corrected level, so that they agree with the verdicts.
 */
export function judgedTogether(all: readonly Paired[], least = leastEffect): JudgedEffect[] {
  const levels = holm(all.map((paired) => pValueOf(paired, least)))
  return all.map((paired, index) => {
    const confidence = levels[index]?.confidence ?? 1
    return {
      effect: effectOf(paired, confidence),
      verdict: verdictOf(paired, { least, confidence }),
    }
  })
}

type Limits = { readonly low: number; readonly high: number }

/** A count with a mean below this is compared with this, in its own unit. */
const leastCount = 1

/** The least effect below and above, on the scale of the values. */
function limitsOf({ measure, of }: Paired, least: number): Limits {
  if (measure === 'ratio') return { low: Math.log(1 - least), high: Math.log(1 + least) }
  const size = least * Math.max(leastCount, of ?? 0)
  return { low: -size, high: size }
}

/** The two-sided p-value of Student's t for a mean within the least effect. */
export function pValueOf(paired: Paired, least: number): number {
  const { values } = paired
  if (values.length < 2) return 1
  const { low, high } = limitsOf(paired, least)
  const [mean, error] = [meanOf(values), standardErrorOf(values)]
  const beyond = Math.max(low - mean, mean - high)
  if (beyond <= 0) return 1
  return error === 0 ? 0 : 2 * (1 - studentShare(beyond / error, values.length - 1))
}

function verdictOf(
  paired: Paired,
  { least, confidence }: { readonly least: number; readonly confidence: number },
): EffectVerdict {
  const limits = limitsOf(paired, least)
  const found = effectOf({ ...paired, measure: 'difference' }, confidence)?.size
  if (!found) return { kind: 'cannot tell', moreSeeds: fewestForInterval }
  const { low, high } = endsOf(found)
  if (low === 0 && high === 0) return { kind: 'no difference' }
  // Where nothing is drawn, more seeds would say the same, and nothing about other days.
  if (found.kind === 'always') return { kind: 'cannot tell', moreSeeds: null }
  if (found.seeds < fewestForInterval) {
    return { kind: 'cannot tell', moreSeeds: fewestForInterval - found.seeds }
  }
  if (high < limits.low) return { kind: 'do' }
  if (low > limits.high) return { kind: 'do not' }
  if (low >= limits.low && high <= limits.high) return { kind: 'no difference' }
  return { kind: 'cannot tell', moreSeeds: moreSeedsFor(paired.values, { limits, confidence }) }
}

/** Nobody would run more seeds to decide. */
const mostMoreSeeds = 5000

/**
 * Returns about how many more seeds narrow the interval until it no longer contains the nearest
 * limit, if mean and spread stay as they are; rounded up to tens.
 */
function moreSeedsFor(
  values: readonly number[],
  { limits, confidence }: { readonly limits: Limits; readonly confidence: number },
): number | null {
  const n = values.length
  const mean = meanOf(values)
  const distance = Math.min(Math.abs(mean - limits.low), Math.abs(mean - limits.high))
  const half = standardErrorOf(values) * studentQuantile((1 + confidence) / 2, n - 1)
  const more = Math.max(10, 10 * Math.ceil((n * (half / distance) ** 2 - n) / 10))
  return more <= mostMoreSeeds ? more : null
}

// The correction for several comparisons at once (Holm 1979).

export type Corrected = {
  readonly isSignificant: boolean
  /**
   * The confidence level of the interval to show: it excludes the null hypothesis if and only if
   * the comparison is significant.
   */
  readonly confidence: number
}

/**
 * Returns for each p-value whether it is significant, so that no conclusion of all is wrong with
 * probability 1 - `alpha`. The least of m p-values is compared with alpha / m, the next with
 * alpha / (m - 1), until one is too large; that one and all that follow are not significant.
 */
export function holm(pValues: readonly number[], alpha = 0.05): Corrected[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
  const stop = order.findIndex(({ p }, rank) => p > alpha / (order.length - rank))
  const significant = stop === -1 ? order.length : stop
  const corrected: Corrected[] = []
  for (const [rank, { index }] of order.entries()) {
    const divisor = order.length - Math.min(rank, significant)
    corrected[index] = { isSignificant: rank < significant, confidence: 1 - alpha / divisor }
  }
  return corrected
}
