/** What the document says of a figure and of an effect. */

import type { Interval } from '../../../sim/statistics/interval.ts'
import type { EffectVerdict } from '../../statistics/least-effect.ts'
import type { Effect } from '../../statistics/ratio.ts'

/** A figure of a setting over its seeds. */
export type FigureResult = {
  readonly mean: Interval
  /** Four of five seeds are in it; null for too few seeds. */
  readonly range: { readonly low: number; readonly high: number } | null
}

/** A ratio to today's setting or a difference from it, and whether it is worth acting on. */
export type EffectResult = Effect & { readonly verdict: EffectVerdict }
