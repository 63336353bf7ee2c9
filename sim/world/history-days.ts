/** A recorded history by its days, which are the parts that resampling exchanges. */

import type { Millis } from '../../engine/index.ts'
import {
  generatedCount,
  relationsWithin,
  scenarioDefaults,
  withoutRelations,
  type PullRequestEntry,
  type Scenario,
} from '../scenario/scenario.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'

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

// The last third of a history, which is kept apart: advice that was found before it is tried on it.

/** Two thirds of fewer days are too few for other days to be drawn. */
const fewestDaysToPart = 35
const fewestToPart = 150

/** Returns the scenario with the day from which the last third of its pull requests comes (S-334). */
export function withLastThirdApart(scenario: Scenario): Scenario {
  const { days } = historyDays(scenario)
  const { pullRequests = [] } = scenario
  if (days.length < fewestDaysToPart || pullRequests.length < fewestToPart) return scenario
  let before = 0
  const first = days.findIndex((day) => {
    const isLast = before >= (2 * pullRequests.length) / 3
    before += day.length
    return isLast && day.length > 0
  })
  const [entry] = days[first] ?? []
  return entry?.at === undefined ? scenario : { ...scenario, keptApartFrom: entry.at }
}

export type Parted = {
  /** What advice is searched on: without what is kept apart. */
  readonly seen: Scenario
  /** What is kept apart, from instant 0 on; null if nothing is. */
  readonly unseen: Scenario | null
}

export function parted({ keptApartFrom, ...scenario }: Scenario): Parted {
  if (keptApartFrom === undefined || generatedCount(scenario) > 0)
    return { seen: scenario, unseen: null }
  const { pullRequests = [] } = scenario
  const isEarly = ({ at = 0 }: PullRequestEntry): boolean => at < keptApartFrom
  return {
    seen: partOf(scenario, pullRequests.filter(isEarly), 0),
    unseen: partOf(
      scenario,
      pullRequests.filter((entry) => !isEarly(entry)),
      keptApartFrom,
    ),
  }
}

/** The scenario with these pull requests and what people do with them, so much earlier. */
export function partOf(
  scenario: Scenario,
  entries: readonly PullRequestEntry[],
  earlier: number,
): Scenario {
  const numbers = new Set(entries.map(({ number }) => number))
  const moved = ({ at = 0 }: { readonly at?: number }): { readonly at: number } => ({
    at: toMinutes(toMillis(Math.max(0, at - earlier))),
  })
  const { events = [] } = scenario
  const kept = events.filter((event) => !('number' in event) || numbers.has(event.number))
  return {
    ...scenario,
    pullRequests: entries.map((entry) => ({
      ...withoutRelations(entry),
      ...moved(entry),
      ...relationsWithin(entry, (number) => (numbers.has(number) ? number : null)),
    })),
    ...(events.length === 0
      ? {}
      : {
          events: kept.map((event) => ('number' in event ? { ...event, ...moved(event) } : event)),
        }),
  }
}
