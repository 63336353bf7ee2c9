/** When a pull request lands, in words. A forecast is never told to the second. */

import type { Estimate } from '../../frame.ts'
import { clock } from './clock-words.ts'

export type EstimateWords = {
  /** "~14:20"; a word if nobody can know. */
  readonly short: string
  /** "14:05 to 15:10"; null without a range. */
  readonly range: string | null
  /** What else the reader must know, as a sentence; null if nothing. */
  readonly remark: string | null
}

const minute = 60_000

/** Beyond half an hour a forecast is told in steps of five minutes. */
const near = 30 * minute
const step = 5 * minute

/** Below this share of landings the remark says that it may fail. */
const sure = 0.85

export function estimateWords(estimate: Estimate | null, now: number): EstimateWords {
  if (estimate === null) return { short: '', range: null, remark: null }
  if (estimate.kind === 'unknown') {
    return { short: 'unknown', range: null, remark: estimate.why }
  }
  const { median, from, to, lands } = estimate
  const told = (instant: string): string => clock(rounded(Date.parse(instant), now), now)
  const failures = Math.round(10 * (1 - lands))
  return {
    short: `~${told(median)}`,
    range: `${told(from)} to ${told(to)}`,
    remark:
      lands < sure && failures > 0
        ? `It may fail: ${failures} of 10 forecasts end without landing.`
        : null,
  }
}

function rounded(at: number, now: number): number {
  return at - now > near ? Math.round(at / step) * step : at
}
