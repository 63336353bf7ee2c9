/**
 * Other weeks of a recorded history: each seed draws them anew. A history is one draw of what a
 * team does; seeds alone would tell how exactly that draw is simulated, not what other weeks bring.
 */

import type { Millis } from '../../engine/index.ts'
import { drawsOf, type Draw } from '../random/draw.ts'
import {
  firstGeneratedNumber,
  generatedCount,
  relationsWithin,
  withoutRelations,
  type PullRequestEntry,
  type Scenario,
  type ScenarioEvent,
} from '../scenario/scenario.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'
import { arrivalOf, historyDays, type HistoryDays } from './history-days.ts'

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
