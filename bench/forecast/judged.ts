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

/** Those who never landed are left out: the share of landings is told apart from the range. */
export function landedIn({ moments }: ToldRun): Landed[] {
  return moments.flatMap(({ told }) =>
    told.flatMap((each) => {
      const { minutes, high, isOvertaken } = each
      return minutes === null || isOvertaken || !Number.isFinite(high) ? [] : [{ ...each, minutes }]
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
  if (landed.length === 0) return null
  const inside = landed.filter((each) => {
    const { low, high } = calibrated(each, calibration)
    return low <= each.minutes && each.minutes <= high
  })
  return inside.length / landed.length
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
