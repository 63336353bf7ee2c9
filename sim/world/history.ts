/** A recorded history by its days, and other weeks that are drawn from it. */

import type { Millis } from '../../engine/index.ts'
import {
  generatedCount,
  relationsWithin,
  scenarioDefaults,
  withoutRelations,
  firstGeneratedNumber,
} from '../scenario/scenario.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'
import { drawsOf, type Draw } from '../random/draw.ts'

type HistoryDays = {
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

type Parted = {
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

// Other weeks of a recorded history: each seed draws them anew. A history is one draw of what a
// team does; seeds alone would tell how exactly that draw is simulated, not what other weeks bring.

const week = 7

/** Fewer whole weeks are too few different weeks, and days are exchanged instead. */
const fewestWeeks = 6

/** Fewer days say nothing about other days. */
const fewestDays = 3 * week

/**
 * Returns the length in days of the blocks that are exchanged. Returns null if the listed pull
 * requests are fewer than three weeks: then nothing is known about other days.
 */
export function blockDaysOf(scenario: Scenario): number | null {
  const { days } = historyDays(scenario)
  if (days.length < fewestDays) return null
  return days.length < fewestWeeks * week ? 1 : week
}

/**
 * Returns the scenario with this seed, in which each week of the listed pull requests is replaced
 * by one that is drawn from all of them; in a short history each day by one of the same weekday. A
 * last week that is not whole is completed by the first days of the history, which are on the
 * weekdays that it lacks. Pull requests keep the time of day; one that comes again has a new number
 * and its relations within the block. Expectations are left out. A history of less than three weeks
 * only gets the seed.
 */
export function resampleWeeks(scenario: Scenario, seed: number): Scenario {
  const blockDays = blockDaysOf(scenario)
  if (blockDays === null) return { ...scenario, seed }
  const history = historyDays(scenario)
  const pieces = piecesOf(history.days.length, blockDays, drawsOf(seed))
  const copies = copiesOf(scenario, history, pieces)
  const startMs = copies.reduce((least, { atMs }) => Math.min(least, atMs), Infinity)
  const { expect: _expect, mustFail: _mustFail, events = [], ...rest } = scenario
  const ofQueue = events.filter((event) => !('number' in event))
  const moved = copies.flatMap((copy) => eventsOn(copy, events, startMs))
  return {
    ...rest,
    seed,
    pullRequests: copies.map(({ entry, atMs }) => ({ ...entry, at: toMinutes(atMs - startMs) })),
    ...(events.length === 0 ? {} : { events: [...ofQueue, ...moved] }),
  }
}

/** Consecutive days of the history that come at another day. */
type Piece = { readonly from: number; readonly days: number; readonly to: number }

/** Draws a piece for each block of days; two where a block goes on with the first days. */
function piecesOf(length: number, blockDays: number, draw: Draw): Piece[] {
  const pieces: Piece[] = []
  for (let to = 0; to < length; to += blockDays) {
    const days = Math.min(blockDays, length - to)
    const weekday = to % week
    const choices = Math.ceil((length - weekday) / week)
    const from = weekday + week * draw.integer('day of a history', `day ${to}`, choices)
    const whole = Math.min(days, length - from)
    pieces.push({ from, days: whole, to })
    if (whole < days) {
      pieces.push({ from: (from + whole) % week, days: days - whole, to: to + whole })
    }
  }
  return pieces
}

/** A pull request at its new time, with its new number. */
type Copy = {
  readonly entry: PullRequestEntry
  readonly atMs: Millis
  readonly original: PullRequestEntry
}

function copiesOf(
  scenario: Scenario,
  { dayMs, days }: HistoryDays,
  pieces: readonly Piece[],
): Copy[] {
  const taken = new Set<number>()
  let next = firstFreeNumber(scenario)
  return pieces.flatMap(({ from, days: count, to }) => {
    const originals = days.slice(from, from + count).flat()
    const numbers = new Map<number, number>()
    for (const { number } of originals) {
      numbers.set(number, taken.has(number) ? next++ : number)
      taken.add(number)
    }
    return originals.map((original) => ({
      entry: renumbered(original, numbers),
      atMs: arrivalOf(original) + (to - from) * dayMs,
      original,
    }))
  })
}

/** The number after all listed and all generated ones. */
function firstFreeNumber(scenario: Scenario): number {
  const generatedEnd = firstGeneratedNumber + generatedCount(scenario)
  return (scenario.pullRequests ?? []).reduce(
    (free, { number }) => Math.max(free, number + 1),
    generatedEnd,
  )
}

/** Relations to pull requests outside of the block are left out, on both sides. */
function renumbered(
  entry: PullRequestEntry,
  numbers: ReadonlyMap<number, number>,
): PullRequestEntry {
  const number = numbers.get(entry.number) ?? entry.number
  const related = relationsWithin(entry, (other) => numbers.get(other))
  return { ...withoutRelations(entry), number, ...related }
}

/** What people do with a pull request happens as long after its arrival as before. */
function eventsOn(
  { entry, atMs, original }: Copy,
  events: readonly ScenarioEvent[],
  startMs: Millis,
): ScenarioEvent[] {
  return events.flatMap((event) => {
    if (!('number' in event) || event.number !== original.number) return []
    const laterMs = toMillis(event.at ?? 0) - arrivalOf(original)
    const at = toMinutes(Math.max(0, atMs - startMs + laterMs))
    return [{ ...event, number: entry.number, at }]
  })
}
