/** Figures that others published, beside the same figures of this project. */

import { type MeanAndEnds, meanOf, studentEnds } from '../../sim/statistics/interval.ts'
import { measuredRun } from '../../sim/judge/measurement.ts'
import type { Figures } from '../../sim/result/result-document.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

/**
 * How near the two must be. `equal`: the same input, the same rules, no chance. `by chance`: the
 * same rules, other random draws. `other rules`: the rules or the input differ, so the figures may
 * differ too; the reason says why.
 */
type Expected = 'equal' | 'by chance' | 'other rules'

export type PublishedFigure = {
  /** What is compared, with its settings. */
  readonly name: string
  readonly unit: string
  readonly published: number
  /** Half of the last digit that the source prints; 0 for a formula. */
  readonly rounding: number
  readonly expected: Expected
  /** The mean over our seeds with its interval, or over histories with the least and the most. */
  readonly here: { readonly mean: number; readonly low: number; readonly high: number }
  readonly agreement: Agreement
  /** Why the two are alike, or why they differ. */
  readonly because: string
}

type Agreement = 'equal' | 'within the interval' | 'differs' | 'not asked'

export type Source = {
  readonly title: string
  /** Where it was published, and in which version. */
  readonly origin: string
  readonly figures: readonly PublishedFigure[]
  /** What of the source is not compared, and why. */
  readonly leftOut: readonly string[]
}

type Asked = Pick<PublishedFigure, 'name' | 'unit' | 'published' | 'because'> & {
  readonly rounding?: number
  readonly expected: PublishedFigure['expected']
}

/**
 * One figure in two hundred may lie outside of its interval by chance. With intervals of 95 % one
 * of these twenty comparisons would.
 */
const confidence = 0.995

/** Compares a published figure with ours: one value for each seed. Throws if there is none. */
export function publishedFigure(asked: Asked, values: readonly number[]): PublishedFigure {
  if (values.length === 0) throw new Error(`no value for ${asked.name}`)
  const here = asked.expected === 'by chance' ? studentEnds(values, confidence) : withRange(values)
  const figure = { rounding: 0, ...asked, here }
  return { ...figure, agreement: agreementOf(figure) }
}

/** The mean with the least and the most: other rules or histories have no common mean. */
function withRange(values: readonly number[]): MeanAndEnds {
  return { mean: meanOf(values), low: Math.min(...values), high: Math.max(...values) }
}

function agreementOf({
  published,
  rounding,
  expected,
  here,
}: Pick<
  PublishedFigure,
  'published' | 'rounding' | 'expected' | 'here'
>): PublishedFigure['agreement'] {
  if (expected === 'other rules') return 'not asked'
  if (expected === 'equal') {
    return Math.abs(here.mean - published) <= rounding ? 'equal' : 'differs'
  }
  const isWithin = here.low - rounding <= published && published <= here.high + rounding
  return isWithin ? 'within the interval' : 'differs'
}

// Figures of simulated seeds, for comparisons with published ones.

/** Simulates one seed with the engine. Properties are not watched: the swarm does that. */
export function figuresOf(scenario: Scenario): Figures {
  return measuredRun(scenario, { properties: [] }).figures
}

export function seedsTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
