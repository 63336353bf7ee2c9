/** A recorded history by its days, which are the parts that resampling exchanges. */

import type { Millis } from '../../engine/index.ts'
import { scenarioDefaults, type PullRequestEntry, type Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

export type HistoryDays = {
  readonly dayMs: Millis
  /** The pull requests of each day in order of arrival; the first and the last day have some. */
  readonly days: readonly (readonly PullRequestEntry[])[]
}

export const arrivalOf = ({ at = 0 }: PullRequestEntry): Millis => toMillis(at)

/**
 * Splits the listed pull requests into days. A day begins in the middle of the hour with the fewest
 * arrivals, so that an evening and its night belong to one day in any time zone.
 */
export function historyDays({ pullRequests = [], dayMinutes }: Scenario): HistoryDays {
  const dayMs = toMillis(dayMinutes ?? scenarioDefaults.dayMinutes)
  const entries = pullRequests.toSorted(
    (a, b) => arrivalOf(a) - arrivalOf(b) || a.number - b.number,
  )
  const [first] = entries
  if (!first) return { dayMs, days: [] }
  const cutMs = (dayMs * (quietestHour(entries, dayMs) + 0.5)) / hours
  const dayOf = (entry: PullRequestEntry): number => Math.floor((arrivalOf(entry) - cutMs) / dayMs)
  const days: PullRequestEntry[][] = []
  for (const entry of entries) (days[dayOf(entry) - dayOf(first)] ??= []).push(entry)
  return { dayMs, days: Array.from(days, (day: PullRequestEntry[] | undefined) => day ?? []) }
}

const hours = 24

/** How many hours before and after an hour tell whether it lies in the night. */
const neighbours = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]

/** The hour of the day with the fewest arrivals; of several the one with the quietest neighbours. */
function quietestHour(entries: readonly PullRequestEntry[], dayMs: Millis): number {
  const counts = Array.from({ length: hours }, () => 0)
  for (const entry of entries) {
    const hour = Math.floor((hours * (arrivalOf(entry) % dayMs)) / dayMs)
    counts[hour] = (counts[hour] ?? 0) + 1
  }
  const at = (hour: number): number => counts[(hour + hours) % hours] ?? 0
  const around = (hour: number): number =>
    neighbours.reduce((sum, distance) => sum + at(hour + distance), 0)
  const [quietest = 0] = counts
    .map((_, hour) => hour)
    .toSorted((a, b) => at(a) - at(b) || around(a) - around(b))
  return quietest
}
