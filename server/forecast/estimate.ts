/** When a pull request lands, as people are told: half of the forecasts, and 80 % of them. */

import type { Millis, PullRequestView, QueueView } from '../../engine/index.ts'
import type { Range } from './calibration.ts'
import { fewestRuns } from './observed.ts'

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
