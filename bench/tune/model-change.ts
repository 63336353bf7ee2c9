/**
 * Other values of what a scenario assumes. All draws stay the same: who breaks at a rate also breaks
 * at any higher one, and a run that is twice as long for one setting is so for the others.
 */

import { drawsOf, type Draw } from '../../sim/random/draw.ts'
import { generatedCount, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import type { Arrivals, Length, PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'
import { toMillis, toMinutes } from '../../sim/scenario/time.ts'
import { clashRatesOf } from '../../sim/world/clashes.ts'

export type AssumptionName =
  | 'flakes'
  | 'flaky tests'
  | 'flaky pull requests'
  | 'breaks'
  | 'clashes'
  | 'run length'
  | 'arrivals'
  | 'concurrency'

/** One assumption at another value; rates are in percent. */
export type ModelChange = {
  readonly name: AssumptionName
  readonly from: number
  readonly to: number
}

/** Returns the scenario with the changed assumption. The seed draws who breaks at another rate. */
export function changedModel(scenario: Scenario, change: ModelChange, seed: number): Scenario {
  const { name, from, to } = change
  const { suiteFlakes = {}, queue = {} } = scenario
  switch (name) {
    case 'flakes':
      return { ...scenario, suiteFlakes: { ...suiteFlakes, perRun: to / 100 } }
    case 'flaky tests': {
      const { tests = [] } = suiteFlakes
      const scaled = tests.map((test) => ({ ...test, rate: Math.min(1, (test.rate * to) / from) }))
      return { ...scenario, suiteFlakes: { ...suiteFlakes, tests: scaled } }
    }
    case 'flaky pull requests':
      return withFlakyPullRequests(scenario, change, drawsOf(seed))
    case 'breaks':
      return withBreaks(scenario, change, drawsOf(seed))
    case 'clashes':
      return withClashes(scenario, to / 100)
    case 'run length':
      return withLengths(scenario, to / from)
    case 'arrivals':
      return withArrivals(scenario, to / from)
    case 'concurrency':
      return { ...scenario, queue: { ...queue, concurrency: to } }
  }
}

/**
 * Whether a listed pull request breaks at another rate. Each has a rank that is uniform over 0 to 1,
 * and the ranks of those that break today are the lowest.
 */
function isAmong(isToday: boolean, unit: number, { from, to }: ModelChange): boolean {
  const share = from / 100
  const rank = isToday ? unit * share : share + unit * (1 - share)
  return rank < to / 100
}

function withBreaks(scenario: Scenario, change: ModelChange, draw: Draw): Scenario {
  const { traffic, pullRequests } = scenario
  if (traffic && generatedCount(scenario) > 0) {
    const { breakRate } = traffic
    const rate = change.to / 100
    const changed = typeof breakRate === 'object' ? { ...breakRate, rate } : rate
    return { ...scenario, traffic: { ...traffic, breakRate: changed } }
  }
  const broken = (entry: PullRequestEntry): PullRequestEntry => {
    const { breaks = false, greenOnTip: _green, ...rest } = entry
    const isBroken = isAmong(breaks, draw.unit('breaks', entry.number), change)
    if (isBroken === breaks) return entry
    return isBroken ? { ...rest, breaks: true } : rest
  }
  return { ...scenario, pullRequests: pullRequests?.map(broken) ?? [] }
}

/** Pull requests of a history clash at the rate of a traffic that generates none (S-276). */
function withClashes(scenario: Scenario, rate: number): Scenario {
  const { traffic = { count: 0 } } = scenario
  const today = clashRatesOf(traffic)
  const across = today.rate === 0 ? 0 : (rate * today.across) / today.rate
  return { ...scenario, traffic: { ...traffic, clashRate: { rate, across } } }
}

function withFlakyPullRequests(scenario: Scenario, change: ModelChange, draw: Draw): Scenario {
  const { traffic, pullRequests } = scenario
  if (traffic && generatedCount(scenario) > 0) {
    return { ...scenario, traffic: { ...traffic, flakyPullRequestRate: change.to / 100 } }
  }
  const flaky = (entry: PullRequestEntry): PullRequestEntry => {
    const { flakyRuns, ...rest } = entry
    const isToday = flakyRuns !== undefined
    const isFlaky = isAmong(isToday, draw.unit('flaky pull request', entry.number), change)
    if (isFlaky === isToday) return entry
    // Like one that an import finds flaky: its first run fails.
    return isFlaky ? { ...rest, flakyRuns: [1] } : rest
  }
  return { ...scenario, pullRequests: pullRequests?.map(flaky) ?? [] }
}

function withLengths(scenario: Scenario, factor: number): Scenario {
  const { suite = {}, pullRequests } = scenario
  const minutes = scaledLength(suite.minutes ?? scenarioDefaults.suiteMinutes, factor)
  const entries = pullRequests?.map((entry) => {
    const { testMinutes: own } = entry
    if (own === undefined) return entry
    const isOne = typeof own === 'number'
    const testMinutes = isOne ? scaled(own, factor) : own.map((each) => scaled(each, factor))
    return { ...entry, testMinutes }
  })
  const { minutesFailing } = suite
  // A number is a ratio.
  const failing =
    typeof minutesFailing === 'object'
      ? { minutesFailing: scaledLength(minutesFailing, factor) }
      : {}
  const changed = { ...scenario, suite: { ...suite, minutes, ...failing } }
  return entries ? { ...changed, pullRequests: entries } : changed
}

function scaledLength(length: Length, factor: number): Length {
  if (typeof length === 'number') return scaled(length, factor)
  if ('uniform' in length) {
    const [from, to] = length.uniform
    return { uniform: [scaled(from, factor), scaled(to, factor)] }
  }
  if ('exponential' in length) return { exponential: scaled(length.exponential, factor) }
  return { median: scaled(length.median, factor), p95: scaled(length.p95, factor) }
}

/** Rounded to the resolution of scenarios. */
const scaled = (minutes: number, factor: number): number => toMinutes(toMillis(minutes * factor))

function withArrivals(scenario: Scenario, factor: number): Scenario {
  const { traffic, pullRequests, dayMinutes = scenarioDefaults.dayMinutes, events } = scenario
  if (traffic && generatedCount(scenario) > 0) {
    const arrivals = fasterArrivals(traffic.arrivals ?? scenarioDefaults.arrivals, factor)
    return { ...scenario, traffic: { ...traffic, arrivals } }
  }
  const squeezed = <Timed extends { readonly at?: number }>(timed: Timed): Timed =>
    timed.at === undefined ? timed : { ...timed, at: scaled(timed.at, 1 / factor) }
  return {
    ...scenario,
    dayMinutes: dayMinutes / factor,
    pullRequests: pullRequests?.map(squeezed) ?? [],
    ...(events ? { events: events.map(squeezed) } : {}),
  }
}

function fasterArrivals(arrivals: Arrivals, factor: number): Arrivals {
  if ('everyMinutes' in arrivals) return { everyMinutes: arrivals.everyMinutes / factor }
  if ('bursts' in arrivals) {
    const { size, everyMinutes } = arrivals.bursts
    return { bursts: { size, everyMinutes: everyMinutes / factor } }
  }
  const { perHour } = arrivals
  return {
    ...arrivals,
    perHour: typeof perHour === 'number' ? perHour * factor : perHour.map((rate) => rate * factor),
  }
}
