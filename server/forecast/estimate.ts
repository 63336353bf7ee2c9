/** When a pull request lands, as people are told: half of the forecasts, and 80 % of them. */

import type { Millis, PullRequestView, QueueView } from '../../engine/index.ts'
import { fewestRuns } from './observed.ts'
import type { RawForecast } from './forecast.ts'

/** Half of the forecasts, and 80 % of them; or why nobody can know. */
export type Estimate =
  | {
      readonly kind: 'range'
      /** Instants, ISO 8601. */
      readonly median: string
      readonly from: string
      readonly to: string
      /** The share of forecasts in which it lands at all. */
      readonly lands: number
    }
  | { readonly kind: 'unknown'; readonly why: string }

/** A calibrated forecast, in minutes from the instant at which it was made. */
export type Forecast = Range & { readonly lands: number }

export type Forecasts = {
  readonly madeAt: Millis
  readonly byNumber: ReadonlyMap<number, Forecast>
}

/** Why there is no forecast for a queue at all. */
export type Refusal = 'too few runs' | 'too long'

const minuteMs = 60_000

/** Told to the minute, so that a new forecast that says the same changes nothing on the page. */
const instant = (madeAt: Millis, minutes: number): string =>
  new Date(Math.round((madeAt + minutes * minuteMs) / minuteMs) * minuteMs).toISOString()

const unknown = (why: string): Estimate => ({ kind: 'unknown', why })

const beyondWords = 'Later than anybody can know, perhaps more than a day.'
const stateWords = (state: string): string => `Nobody can know: the queue is ${state}.`

/** Why a whole queue cannot be forecast, in words. */
function refusalWords(refusal: Refusal): string {
  return refusal === 'too few runs'
    ? `Nobody can know yet: fewer than ${fewestRuns} test runs have ended here.`
    : 'Nobody can know: too many pull requests are in the queue.'
}

/** Returns what to tell about one pull request that is in the queue; null if its state says enough. */
export function estimateIn(
  { state: queueState }: Pick<QueueView, 'state'>,
  { number, state, home }: Pick<PullRequestView, 'number' | 'state' | 'home'>,
  forecasts: Forecasts | Refusal,
): Estimate | null {
  if (home.in === 'nowhere' || state === 'NOT_READY') return null
  const isHeld = queueState !== 'RUNNING' && home.in === 'order'
  if (isHeld) return unknown(stateWords(queueState))
  if (typeof forecasts === 'string') return unknown(refusalWords(forecasts))
  const forecast = forecasts.byNumber.get(number)
  if (!forecast) return null
  const { low, median, high, lands } = forecast
  // In the line of a paused queue some wait for a run that starts only when somebody resumes it.
  if (!Number.isFinite(high))
    return unknown(queueState === 'PAUSED' ? stateWords(queueState) : beyondWords)
  const { madeAt } = forecasts
  return {
    kind: 'range',
    median: instant(madeAt, median),
    from: instant(madeAt, low),
    to: instant(madeAt, high),
    lands: Math.round(lands * 10) / 10,
  }
}

// Calibration: how far the truth lies from the forecasts, in units of their own spread. A forecast of
// minutes is judged by its logarithm, because an hour more matters less after a day.

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
