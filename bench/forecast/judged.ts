/** How often the truth lay in the range that people are told, and how wide the range is. */

import {
  calibrated,
  calibrationOf,
  errorOf,
  type Calibration,
} from '../../server/forecast/calibration.ts'
import { ascending, quantile } from '../../server/forecast/quantiles.ts'
import type { Told, ToldRun } from './told.ts'

/** A forecast that had a range, of a pull request that landed. */
type Landed = Told & { readonly minutes: number }

/** Each archetype counts with as many errors at most. */
const errorsOfEach = 400

/**
 * Those who never landed are left out: the share of landings is told apart from the range. So are ranges
 * that reach past a change of the settings or the state, which nobody foresees. What came true does not
 * decide that: of those who wait when a pause begins, only the early ones have landed.
 */
export function landedIn({ moments }: Pick<ToldRun, 'moments'>): Landed[] {
  return moments.flatMap(({ told }) =>
    told.flatMap((each) => {
      const { minutes, high, untilChange } = each
      const isJudged = Number.isFinite(high) && high < untilChange
      return minutes === null || !isJudged ? [] : [{ ...each, minutes }]
    }),
  )
}

/** The calibration by all archetypes but this one, each with the same weight. */
export function calibrationWithout(runs: readonly ToldRun[], archetype: string): Calibration {
  const others = new Set(runs.map((run) => run.archetype))
  others.delete(archetype)
  const errors = [...others].flatMap((name) => {
    const landed = runs.filter((run) => run.archetype === name).flatMap(landedIn)
    return thinned(ascending(landed.map((each) => errorOf(each, each.minutes))))
  })
  return calibrationOf(errors)
}

function thinned(sorted: readonly number[]): number[] {
  const count = Math.min(errorsOfEach, sorted.length)
  return Array.from({ length: count }, (_, index) => {
    return sorted[Math.floor((index * sorted.length) / count)] ?? 0
  })
}

/** The share of landings inside the range; null without any. */
export function coverage(landed: readonly Landed[], calibration: Calibration): number | null {
  return landed.length === 0 ? null : insideOf(landed, calibration) / landed.length
}

/**
 * The standard error of the coverage of all runs together; null with fewer than two. Landings of one run
 * err alike, so the runs are what counts as independent.
 */
export function standardError(
  runs: readonly (readonly Landed[])[],
  calibration: Calibration,
): number | null {
  const judged = runs.filter((landed) => landed.length > 0)
  const all = judged.flat()
  if (judged.length < 2) return null
  const share = insideOf(all, calibration) / all.length
  const squares = judged.map((landed) => {
    return (insideOf(landed, calibration) - share * landed.length) ** 2
  })
  const sum = squares.reduce((total, each) => total + each, 0)
  return Math.sqrt((sum * judged.length) / (judged.length - 1)) / all.length
}

function insideOf(landed: readonly Landed[], calibration: Calibration): number {
  return landed.filter((each) => {
    const { low, high } = calibrated(each, calibration)
    return low <= each.minutes && each.minutes <= high
  }).length
}

/** As simulated: a calibration that changes nothing. */
export const raw: Calibration = { low: -1, median: 0, high: 1 }

/** The median width, compared with one range for everybody that holds 80 % of the landings. */
export function widthShare(landed: readonly Landed[], calibration: Calibration): number | null {
  if (landed.length === 0) return null
  const minutes = ascending(landed.map((each) => each.minutes))
  const constant = quantile(minutes, 0.9) - quantile(minutes, 0.1)
  const widths = landed.map((each) => {
    const { low, high } = calibrated(each, calibration)
    return high - low
  })
  return quantile(ascending(widths), 0.5) / constant
}

/** The share of all in the queue for whom nobody could say when: no range, or none with an end. */
export function untoldShare({ moments }: ToldRun): number {
  const told = moments.flatMap((moment) => moment.told)
  const without = told.filter(({ high }) => !Number.isFinite(high)).length
  const untold = moments.reduce((sum, moment) => sum + moment.untold, 0)
  return (untold + without) / Math.max(1, untold + told.length)
}
