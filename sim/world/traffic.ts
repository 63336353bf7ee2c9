/** Arrivals: the explicit pull requests of a scenario, and the lazily generated ones. */

import type { ImpactedTargets, Millis } from '../../engine/index.ts'
import type { Draw } from '../random/draw.ts'
import { firstGeneratedNumber, generatedCount, scenarioDefaults } from '../scenario/scenario.ts'
import type {
  Arrivals,
  PullRequestEntry,
  Scenario,
  ScenarioEvent,
  SuiteFlakes,
  Traffic,
  TrafficTargets,
} from '../scenario/scenario.ts'
import { toMillis, toMinutes } from '../scenario/time.ts'
import { typicalMs } from './lengths.ts'

export type Arrival = {
  readonly at: Millis
  readonly entry: PullRequestEntry
  /** Later actions of people on it. */
  readonly events: readonly ScenarioEvent[]
  readonly isGenerated: boolean
}

/** Yields all arrivals, ordered by time, then number. */
export function* arrivalsOf(scenario: Scenario, draw: Draw): Generator<Arrival> {
  const explicit = explicitArrivals(scenario)
  let index = 0
  for (const generated of generatedArrivals(scenario, draw)) {
    for (let next = explicit[index]; next && isBefore(next, generated); next = explicit[index]) {
      yield next
      index++
    }
    yield generated
  }
  yield* explicit.slice(index)
}

function isBefore(a: Arrival, b: Arrival): boolean {
  return a.at < b.at || (a.at === b.at && a.entry.number < b.entry.number)
}

function explicitArrivals({ pullRequests = [] }: Scenario): Arrival[] {
  return pullRequests
    .map((entry) => ({ at: toMillis(entry.at ?? 0), entry, events: [], isGenerated: false }))
    .sort((a, b) => a.at - b.at || a.entry.number - b.entry.number)
}

function* generatedArrivals(scenario: Scenario, draw: Draw): Generator<Arrival> {
  const { traffic = {}, suite = {}, suiteFlakes = {} } = scenario
  const count = generatedCount(scenario)
  const times = arrivalTimes(traffic.arrivals ?? scenarioDefaults.arrivals, draw, count)
  // Events on a pull request are spread over twice this, so that they reach it in every state.
  const typical = typicalMs(suite)
  let breaks = false
  let below = 0
  for (let index = 0; index < count; index++) {
    const number = firstGeneratedNumber + index
    const at = times.next().value
    breaks = draw.chance(
      'breaks',
      number,
      breakRateAfter(traffic.breakRate, index > 0 ? breaks : null),
    )
    below = index > 0 && isStacked(number, below, traffic, draw) ? below + 1 : 0
    const stacked = below > 0 ? { dependsOn: [number - 1] } : {}
    const caught = breaks ? caughtBy(number, suiteFlakes.tests, draw) : {}
    const entry = { ...entryOf({ number, at, breaks }, traffic, draw), ...caught, ...stacked }
    yield { at, entry, events: eventsOn(number, { traffic, at, typical, draw }), isGenerated: true }
  }
}

/**
 * The chance that the next pull request breaks, given whether the last one did; null if it is the
 * first. With `sticky` the share that breaks stays `rate`, so a pull request after a healthy one
 * breaks less often.
 */
function breakRateAfter(breakRate: Traffic['breakRate'], lastBroke: boolean | null): number {
  if (typeof breakRate !== 'object') return breakRate ?? 0
  const { rate, sticky } = breakRate
  if (lastBroke === null) return rate
  if (lastBroke) return sticky
  return rate === 1 ? 1 : (rate * (1 - sticky)) / (1 - rate)
}

/** Whether it depends on the one before, which lies on top of `below` others. */
function isStacked(number: number, below: number, { stacks }: Traffic, draw: Draw): boolean {
  const { share = 0, depth = scenarioDefaults.stackDepth } = stacks ?? {}
  return below + 1 < depth && draw.chance('stacked', number, share)
}

/** The flaky test that it breaks; none if it breaks one of its own. */
function caughtBy(
  number: number,
  tests: SuiteFlakes['tests'] = [],
  draw: Draw,
): Pick<PullRequestEntry, 'breaksTest'> {
  const test = tests.find(({ name, catches = 0 }) =>
    draw.chance('what a break fails', `${number} ${name}`, catches),
  )
  return test ? { breaksTest: test.name } : {}
}

type DrawnPullRequest = { readonly number: number; readonly at: Millis; readonly breaks: boolean }

function entryOf(
  { number, at, breaks }: DrawnPullRequest,
  traffic: Traffic,
  draw: Draw,
): PullRequestEntry {
  const { flakyPullRequestRate = 0, flakeRate = scenarioDefaults.trafficFlakeRate } = traffic
  const isFlaky = draw.chance('flaky pull request', number, flakyPullRequestRate)
  const isUrgent = draw.chance('urgent', number, traffic.urgentRate ?? 0)
  const isAlone = draw.chance('no batch', number, traffic.noBatchRate ?? 0)
  const isGreen = !breaks && draw.chance('green on tip', number, traffic.greenOnTipRate ?? 0)
  return {
    number,
    at: toMinutes(at),
    ...(breaks ? { breaks } : {}),
    ...(isFlaky ? { flakeRate } : {}),
    ...(isUrgent ? { priority: 'urgent' } : {}),
    ...(isAlone ? { noBatch: true } : {}),
    ...(isGreen ? { greenOnTip: true } : {}),
    ...(traffic.targets ? { targets: targetsOf({ number, breaks }, traffic.targets, draw) } : {}),
  }
}

/** With a `riskAuc` the names are two halves, and one that breaks impacts the first with this chance (S-360). */
function namesFor(
  { number, breaks }: Pick<DrawnPullRequest, 'number' | 'breaks'>,
  { names, riskAuc }: TrafficTargets,
  draw: Draw,
): readonly string[] {
  if (riskAuc === undefined) return names
  const half = Math.floor(names.length / 2)
  const isRisky = draw.chance('targets', `${number} half`, breaks ? riskAuc : 1 - riskAuc)
  return isRisky ? names.slice(0, half) : names.slice(half)
}

function targetsOf(
  drawn: Pick<DrawnPullRequest, 'number' | 'breaks'>,
  targets: TrafficTargets,
  draw: Draw,
): ImpactedTargets {
  const { perPullRequest, hubs = [], hubRate = 0, allRate = 0 } = targets
  const { number } = drawn
  if (draw.chance('targets', `${number} all`, allRate)) return 'ALL'
  const [fewest, most] = perPullRequest ?? scenarioDefaults.targetsPerPullRequest
  const count = fewest + draw.integer('targets', `${number} count`, most - fewest + 1)
  const left = [...namesFor(drawn, targets, draw)]
  const own = Array.from({ length: count }, (_, index) =>
    left.splice(draw.integer('targets', `${number} ${index}`, left.length), 1),
  ).flat()
  const hub = hubs[draw.integer('targets', `${number} which hub`, Math.max(1, hubs.length))]
  const touchesHub = hub !== undefined && draw.chance('targets', `${number} hub`, hubRate)
  return touchesHub && !own.includes(hub) ? [...own, hub] : own
}

type ArrivalContext = {
  readonly traffic: Traffic
  readonly at: Millis
  readonly typical: Millis
  readonly draw: Draw
}

function eventsOn(number: number, { traffic, at, typical, draw }: ArrivalContext): ScenarioEvent[] {
  const rates = { cancel: traffic.cancelRate ?? 0, push: traffic.pushRate ?? 0 }
  return (['cancel', 'push'] as const)
    .filter((verb) => draw.chance(verb, number, rates[verb]))
    .map((verb) => {
      const after = draw.uniformMs(verb, `${number} when`, [1, Math.max(1, 2 * typical)])
      return { at: toMinutes(at + after), do: verb, number }
    })
}

// Arrival times of generated pull requests.

const hourMs: Millis = toMillis(60)

/** Yields the instants of arrivals in order, without end. */
function* arrivalTimes(arrivals: Arrivals, draw: Draw, count: number): Generator<Millis, never> {
  let at: Millis = 0
  for (let index = 0; ; index++) {
    at = nextTime(arrivals, draw, { index, at, count })
    yield at
  }
}

type LastArrival = { readonly index: number; readonly at: Millis; readonly count: number }

function nextTime(arrivals: Arrivals, draw: Draw, { index, at, count }: LastArrival): Millis {
  if ('everyMinutes' in arrivals) return toMillis(index * arrivals.everyMinutes)
  if ('bursts' in arrivals) {
    const { size, everyMinutes } = arrivals.bursts
    return toMillis(Math.floor(index / size) * everyMinutes)
  }
  const number = firstGeneratedNumber + index
  const { perHour, perWeekday, doublings = 0 } = arrivals
  // The rate has grown by this factor.
  const growth = doublings === 0 ? 1 : 2 ** ((doublings * index) / count)
  if (typeof perHour === 'number' && !perWeekday) {
    return at + draw.exponentialMs('arrivals', number, hourMs / (perHour * growth))
  }
  const work = draw.exponentialMs('arrivals', number, hourMs / growth)
  return afterWork(at, work, hoursOfWeek(perHour, perWeekday))
}

const dayHours = 24

/** The rates of the hours of a day, or with weights for the weekdays, of a week. */
function hoursOfWeek(perHour: number | readonly number[], weights?: readonly number[]) {
  const day =
    typeof perHour === 'number' ? Array.from({ length: dayHours }, () => perHour) : perHour
  if (!weights) return day
  const mean = meanOf(weights)
  return weights.flatMap((weight) => day.map((rate) => (rate * weight) / mean))
}

export function meanPerHour(arrivals: Arrivals): number {
  if ('everyMinutes' in arrivals) return 60 / arrivals.everyMinutes
  if ('bursts' in arrivals) return (60 * arrivals.bursts.size) / arrivals.bursts.everyMinutes
  return typeof arrivals.perHour === 'number' ? arrivals.perHour : meanOf(arrivals.perHour)
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length

/**
 * Returns the next instant of Poisson arrivals whose rate changes by the hour. `work` is the time
 * to the next arrival, drawn for a rate of one per hour. The arrival is when the rate, summed over
 * the time since `start`, reaches `work`.
 */
function afterWork(start: Millis, work: Millis, byHour: readonly number[]): Millis {
  let at = start
  let left = work
  for (;;) {
    const hour = Math.floor(at / hourMs)
    const rate = byHour[hour % byHour.length] ?? 0
    const untilNext = (hour + 1) * hourMs - at
    if (left <= rate * untilNext) return at + Math.round(rate === 0 ? 0 : left / rate)
    left -= rate * untilNext
    at += untilNext
  }
}
