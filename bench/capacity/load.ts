/** A scenario at a multiple of today's pull requests, and whether its queue keeps up. */

import type { Event, Millis } from '../../engine/index.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import type { ResultContext, ResultProjection } from '../../sim/result/result-projection.ts'
import {
  type PullRequestEntry,
  type Scenario,
  type ScenarioEvent,
  type Traffic,
  firstGeneratedNumber,
  generatedCount,
  relationsWithin,
  scenarioDefaults,
  withoutRelations,
} from '../../sim/scenario/scenario.ts'
import { toMillis, toMinutes } from '../../sim/scenario/time.ts'
import { meanOf } from '../../sim/statistics/interval.ts'
import { isTerminal } from '../../sim/steps/step.ts'
import { arrivalOf, historyDays, resampleWeeks } from '../../sim/world/history.ts'
import { meanPerHour } from '../../sim/world/traffic.ts'
import { changedModel } from '../tune/model-change.ts'

// The pull requests: the same at every load, closer together. Nights and weekends stay as long as they are.

export type Loaded = {
  readonly scenario: Scenario
  /** The length of a day; null where all hours are alike. */
  readonly dayMs: Millis | null
}

/** With half as many, a stream that is kept up with looks as if it grew: clusters of failures weigh too much. */
const streamCount = 2_400

const weekHours = 7 * 24

/** Two weeks at today's load; more where they have too few pull requests, fewer where too many. */
const usualWeeks = 2
const fewest = 200
const most = 6_000

/** Returns the scenario with `load` times as many pull requests an hour as today. */
export function atLoad(scenario: Scenario, load: number, seed: number): Loaded {
  const { expect: _expect, mustFail: _mustFail, traffic, ...rest } = scenario
  if (!traffic || generatedCount(scenario) === 0) {
    return withHistory({ ...rest, ...(traffic ? { traffic } : {}) }, load, seed)
  }
  const arrivals = steady(traffic.arrivals ?? scenarioDefaults.arrivals)
  const hasDays =
    'perHour' in arrivals &&
    (arrivals.perWeekday !== undefined || typeof arrivals.perHour !== 'number')
  const perWeek = meanPerHour(arrivals) * weekHours
  const count = hasDays
    ? Math.min(most, Math.ceil(load * perWeek * weeksFor(perWeek)))
    : streamCount
  const today = { ...rest, seed, traffic: { ...traffic, arrivals, count } }
  const changed = changedModel(today, { name: 'arrivals', from: 1, to: load }, seed)
  return { scenario: changed, dayMs: hasDays ? toMillis(scenarioDefaults.dayMinutes) : null }
}

/** Today's pace is that of the start. */
function steady(arrivals: NonNullable<Traffic['arrivals']>): NonNullable<Traffic['arrivals']> {
  if (!('perHour' in arrivals)) return arrivals
  const { doublings: _doublings, ...same } = arrivals
  return same
}

function weeksFor(perWeek: number): number {
  return Math.max(
    1,
    Math.min(Math.max(usualWeeks, Math.ceil(fewest / perWeek)), Math.floor(most / perWeek)),
  )
}

/** The pull requests of an hour today, as far as the scenario tells. */
export function perHourOf(scenario: Scenario): number {
  const { traffic, pullRequests = [] } = scenario
  if (traffic && generatedCount(scenario) > 0)
    return meanPerHour(traffic.arrivals ?? scenarioDefaults.arrivals)
  const { days, dayMs } = historyDays(scenario)
  return pullRequests.length / Math.max(1, days.length * (dayMs / toMillis(60)))
}

/**
 * A history with more pull requests: other weeks of it are laid over the drawn ones, on the same weekdays
 * and hours. Of the last of them each pull request comes with the chance that is left of the load.
 */
function withHistory(scenario: Scenario, load: number, seed: number): Loaded {
  const { days, dayMs } = historyDays(scenario)
  const perWeek = (7 * (scenario.pullRequests ?? []).length) / Math.max(1, days.length)
  const endMs = Math.min(days.length, 7 * weeksFor(perWeek)) * dayMs
  const copies = Array.from({ length: Math.ceil(load) }, (_, index) =>
    copyOf(scenario, { index, share: Math.min(1, load - index), seed, endMs }),
  )
  const { pullRequests: _pullRequests, events = [], ...rest } = scenario
  const ofQueue = events.filter((event) => !('number' in event))
  return {
    scenario: {
      ...rest,
      seed,
      pullRequests: copies.flatMap((copy) => copy.pullRequests),
      events: [...ofQueue, ...copies.flatMap((copy) => copy.events)],
    },
    dayMs,
  }
}

type Copying = {
  readonly index: number
  readonly share: number
  readonly seed: number
  readonly endMs: Millis
}
type Copy = { readonly pullRequests: PullRequestEntry[]; readonly events: ScenarioEvent[] }

/** Numbers of different copies do not meet: a copy has at most as many new numbers as pull requests. */
function strideOf({ pullRequests = [] }: Scenario): number {
  const last = pullRequests.reduce((end, { number }) => Math.max(end, number), firstGeneratedNumber)
  return last + 2 * pullRequests.length + 8
}

/** Seeds of different copies do not meet. */
const seedsBetween = 1_000_003

function copyOf(scenario: Scenario, { index, share, seed, endMs }: Copying): Copy {
  const own = seed + index * seedsBetween
  const draw = drawsOf(own)
  const drawn = resampleWeeks(scenario, own)
  const kept = (drawn.pullRequests ?? []).filter(
    (entry) => arrivalOf(entry) < endMs && draw.unit('arrivals', `copy ${entry.number}`) < share,
  )
  const stride = strideOf(scenario)
  const [numbers, moved] = [new Map<number, number>(), new Map<number, number>()]
  for (const { number } of kept) {
    numbers.set(number, number + index * stride)
    // A short history has no other weeks, so a copy comes at other minutes of the hour.
    const later =
      index === 0 ? 0 : draw.uniformMs('arrivals', `minute ${number}`, [0, toMillis(60)])
    moved.set(number, toMinutes(later))
  }
  const shifted = <Timed extends { readonly at?: number; readonly number: number }>(
    timed: Timed,
  ): Timed => ({
    ...timed,
    number: numbers.get(timed.number) ?? timed.number,
    at: (timed.at ?? 0) + (moved.get(timed.number) ?? 0),
  })
  return {
    pullRequests: kept.map((entry) => ({
      ...withoutRelations(shifted(entry)),
      ...relationsWithin(entry, (other) => numbers.get(other)),
    })),
    events: (drawn.events ?? []).flatMap((event) =>
      'number' in event && numbers.has(event.number) ? [shifted(event)] : [],
    ),
  }
}

// Whether a queue keeps up: the number waiting has no trend, and nobody waits too long.

/** A pull request that comes, and how many are in the queue at that time. */
export type Sample = { readonly at: Millis; readonly open: number }

/** Collects the samples of a run. */
export class Waiting implements ResultProjection {
  readonly samples: Sample[] = []
  readonly #open = new Set<number>()
  readonly #known = new Set<number>()

  onEvent(event: Event, { at }: ResultContext): void {
    if (event.type === 'pullRequestMoved' && isTerminal(event.to)) this.#open.delete(event.number)
    if (event.type !== 'pullRequestSubmitted') return
    if (!this.#known.has(event.number)) this.samples.push({ at, open: this.#open.size })
    this.#known.add(event.number)
    this.#open.add(event.number)
  }
}

/** Where all hours are alike, so many parts of the stream take the place of days. */
const parts = 20

/** With fewer days the rise of a morning would look like a trend. */
const fewestDays = 5

/** The first part fills an empty queue. */
const warmUp = 1 / 5

/**
 * Returns how many of each pull request that comes are left over: the slope of the least number waiting in
 * each day, over the pull requests that have come.
 */
export function leftOver(samples: readonly Sample[], dayMs: Millis | null): number {
  const days = dayMs === null ? [] : blocksBy(samples, ({ at }) => Math.floor(at / dayMs))
  const size = Math.max(1, Math.ceil(samples.length / parts))
  const blocks =
    days.length >= fewestDays ? days : blocksBy(samples, (_, index) => Math.floor(index / size))
  const late = blocks.slice(Math.floor(blocks.length * warmUp))
  return Math.max(0, slopeOf(late))
}

type Block = { readonly x: number; readonly y: number }

function blocksBy(
  samples: readonly Sample[],
  blockOf: (sample: Sample, index: number) => number,
): Block[] {
  const blocks = new Map<number, { first: number; last: number; least: number }>()
  for (const [index, sample] of samples.entries()) {
    const name = blockOf(sample, index)
    const block = blocks.get(name) ?? { first: index, last: index, least: sample.open }
    blocks.set(name, { ...block, last: index, least: Math.min(block.least, sample.open) })
  }
  return [...blocks.values()].map(({ first, last, least }) => ({ x: (first + last) / 2, y: least }))
}

/** By least squares; 0 for fewer than two. */
function slopeOf(points: readonly Block[]): number {
  const [x, y] = [meanOf(points.map((each) => each.x)), meanOf(points.map((each) => each.y))]
  const spread = points.reduce((sum, each) => sum + (each.x - x) ** 2, 0)
  const along = points.reduce((sum, each) => sum + (each.x - x) * (each.y - y), 0)
  return spread === 0 ? 0 : along / spread
}
