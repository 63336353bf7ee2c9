/**
 * Calibration: how far the truth lies from the forecasts, in units of their own spread. A forecast of
 * minutes is judged by its logarithm, because an hour more matters less after a day.
 */

import type { RawForecast } from './forecast.ts'

/** How far from the median the truth lies in 10, 50 and 90 of 100 cases. */
export type Calibration = { readonly low: number; readonly median: number; readonly high: number }

export type Range = Pick<RawForecast, 'low' | 'median' | 'high'>

/** A spread below this is not believed. */
const leastSpread = 0.12

const logOf = (minutes: number): number => Math.log(Math.max(0, minutes) + 1)
const minutesOf = (log: number): number => Math.max(0, Math.exp(log) - 1)

/** The spread below the median and above it. */
function spreadsOf({ low, median, high }: Range): readonly [below: number, above: number] {
  const middle = logOf(median)
  return [Math.max(leastSpread, middle - logOf(low)), Math.max(leastSpread, logOf(high) - middle)]
}

/** The range that holds the truth in 80 of 100 cases, if errors are as the calibration says. */
export function calibrated(range: Range, calibration: Calibration): Range {
  if (!Number.isFinite(range.median)) return range
  const [below, above] = spreadsOf(range)
  const at = (error: number): number =>
    minutesOf(logOf(range.median) + error * (error < 0 ? below : above))
  return { low: at(calibration.low), median: at(calibration.median), high: at(calibration.high) }
}
