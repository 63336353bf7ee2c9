/** Instants and lengths of time in words. The words are English, the hours those of the reader. */

import type { Estimate, Row } from '../../frame.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const seconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })

/** "14:20", with the weekday if it is not today, or the date if it is a week away or more. */
export function clock(at: number, now: number): string {
  const days = Math.abs(startOfDay(at) - startOfDay(now)) / day
  const time = hours.format(at)
  if (days < 0.5) return time
  return `${days < 6.5 ? weekday.format(at) : date.format(at)} ${time}`
}

/** "14:20:05", for what ended some seconds ago. */
export const clockWithSeconds = (at: number): string => seconds.format(at)

/** The whole instant, for a tooltip. */
export const wholeInstant = (at: number): string => whole.format(at)

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** "40 s", "12 min", "2 h 05 min" or "3 d 4 h". */
export function lasting(ms: number): string {
  const length = Math.max(0, ms)
  if (length < minute) return `${Math.floor(length / 1000)} s`
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < 2 * day) {
    const minutes = String(Math.floor((length % hour) / minute)).padStart(2, '0')
    return `${Math.floor(length / hour)} h ${minutes} min`
  }
  return `${Math.floor(length / day)} d ${Math.floor((length % day) / hour)} h`
}

/** How long one that has left was in the queue, in milliseconds. */
export const timeInQueue = ({ submittedAt, since }: Pick<Row, 'submittedAt' | 'since'>): number =>
  Date.parse(since) - Date.parse(submittedAt)

export const lastingMinutes = (minutes: number): string => lasting(minutes * minute)

// When a pull request lands, in words. A forecast is never told to the second.

export type EstimateWords = {
  /** "~14:20"; a word if nobody can know. */
  readonly short: string
  /** "14:05 to 15:10"; null without a range. */
  readonly range: string | null
  /** What else the reader must know, as a sentence; null if nothing. */
  readonly remark: string | null
}

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
