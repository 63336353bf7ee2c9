/** The distribution of the lengths of runs, in minutes, as the bounds need it. */

import { spreadOf } from '../random/draw.ts'
import type { Length } from '../scenario/scenario.ts'

export type LengthLaw = {
  /** The share of runs that are longer. */
  readonly survival: (minutes: number) => number
  /** The rate at which runs end that have come so far; null if all have the same length. */
  readonly hazard: ((minutes: number) => number) | null
  readonly mean: number
  /** All but a millionth of the runs are shorter. */
  readonly longest: number
}

export function lengthLawOf(length: Length): LengthLaw {
  if (typeof length === 'number') return constantLaw(length)
  if ('uniform' in length) return uniformLaw(...length.uniform)
  if ('exponential' in length) return exponentialLaw(length.exponential)
  return length.p95 > length.median ? lognormalLaw(length) : constantLaw(length.median)
}

function constantLaw(minutes: number): LengthLaw {
  const survival = (at: number): number => (at < minutes ? 1 : 0)
  return { survival, hazard: null, mean: minutes, longest: minutes }
}

function uniformLaw(from: number, to: number): LengthLaw {
  if (to <= from) return constantLaw(from)
  return {
    survival: (at) => Math.min(1, Math.max(0, (to - at) / (to - from))),
    hazard: (at) => (at < from ? 0 : 1 / Math.max(to - at, (to - from) * 1e-9)),
    mean: (from + to) / 2,
    longest: to,
  }
}

function exponentialLaw(mean: number): LengthLaw {
  return {
    survival: (at) => Math.exp(-at / mean),
    hazard: () => 1 / mean,
    mean,
    longest: mean * Math.log(1e6),
  }
}

function lognormalLaw({ median, p95 }: { median: number; p95: number }): LengthLaw {
  const spread = spreadOf(median, p95)
  const standard = (at: number): number => Math.log(at / median) / spread
  const survival = (at: number): number => (at <= 0 ? 1 : normalSurvival(standard(at)))
  const density = (at: number): number =>
    Math.exp(-(standard(at) ** 2) / 2) / (at * spread * Math.sqrt(2 * Math.PI))
  return {
    survival,
    hazard: (at) => (at <= 0 ? 0 : density(at) / survival(at)),
    mean: median * Math.exp(spread ** 2 / 2),
    longest: median * Math.exp(4.75 * spread),
  }
}

/** The share of the standard normal distribution above z; exact to 7 digits (Numerical Recipes). */
function normalSurvival(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + x / 2)
  const polynomial = coefficients.reduceRight((sum, each) => sum * t + each, 0)
  const upper = (t * Math.exp(-x * x + polynomial)) / 2
  return z >= 0 ? upper : 1 - upper
}

const coefficients = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
]
