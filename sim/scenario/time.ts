/** Conversion of times: minutes in scenarios and reports, whole milliseconds in the simulator. */

import type { Millis } from '../../engine/index.ts'
import { scenarioDefaults, type Scenario } from './scenario.ts'

const minuteMs = 60_000

export function toMillis(minutes: number): Millis {
  return Math.round(minutes * minuteMs)
}

/** Loses nothing: `toMillis(toMinutes(ms))` is `ms`. */
export function toMinutes(millis: Millis): number {
  return millis / minuteMs
}

// The calendar of a recorded history: the real times of the instants of its scenario.

export type Calendar = {
  /** Returns the real time of an instant in minutes, in milliseconds since 1970. */
  readonly timeAt: (minutes: number) => number
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Returns null if the scenario does not say when it started. All dates and weekdays are in UTC. */
export function calendarOf({ startsAt, dayMinutes }: Scenario): Calendar | null {
  if (startsAt === undefined) return null
  const start = Date.parse(startsAt)
  const realMs = dayMs / (dayMinutes ?? scenarioDefaults.dayMinutes)
  // A history has whole seconds. Instants of a busier one are rounded, so a day's end could slip.
  return { timeAt: (minutes) => start + Math.round((minutes * realMs) / 1000) * 1000 }
}

/** Returns whether the date exists: `Date` turns 30 February into March. */
export function isRealTime(iso: string): boolean {
  const time = Date.parse(iso)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso.slice(0, 16))
}

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof weekdays)[number]

/** The weekday and the hour of a real time. 1 January 1970 was a Thursday. */
export function weekHourOf(time: number): { readonly weekday: Weekday; readonly hour: number } {
  const day = Math.floor(time / dayMs)
  return {
    weekday: weekdays[(day + 3) % 7] ?? 'Mon',
    hour: Math.floor((time - day * dayMs) / hourMs),
  }
}

/** `Tue 2026-03-03` */
export function dateText(time: number): string {
  return `${weekHourOf(time).weekday} ${new Date(time).toISOString().slice(0, 10)}`
}
