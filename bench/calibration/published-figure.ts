/** Compares a figure that others published with ours. */

import type { PublishedFigure } from '../measuring/published-figure.ts'
import { meanOf, studentEnds, type MeanAndEnds } from '../../sim/statistics/mean.ts'

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
