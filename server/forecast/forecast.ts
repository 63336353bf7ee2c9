/** Many forward simulations of a queue, and what they say about each pull request in it. */

import { testKey, type Millis, type PullRequestNumber, type Queue } from '../../engine/index.ts'
import { Newcomers } from './arrivals.ts'
import { Beliefs } from './beliefs.ts'
import { Draws } from './draws.ts'
import { evidenceOf } from './evidence.ts'
import { Forward } from './forward.ts'
import { Lengths } from './lengths.ts'
import type { Observed } from './observed.ts'
import { ascending, nextQuantile, quantile } from './quantiles.ts'

export type ForecastTask = {
  /** The state of the queue as text; `copyOf` makes it. */
  readonly copy: string
  readonly now: Millis
  readonly observed: Observed
  readonly seed: string
  /** At most so many simulations; fewer when they take many commands. */
  readonly simulations: number
}

/** What the simulations say about one pull request, before calibration. */
export type RawForecast = {
  /** Minutes from now until it lands; infinite if later than the horizon. */
  readonly low: number
  readonly median: number
  readonly high: number
  /** The share of simulations in which it does not leave without landing. */
  readonly lands: number
}

const minuteMs = 60_000
/** A day, or for slow tests so many of their runs. */
const horizonMs: Millis = 24 * 60 * minuteMs
const horizonRuns = 16
/** All simulations of a forecast together. */
const mostCommands = 80_000
const fewestSimulations = 20

/** Those who wait behind so many others get no estimate: it would say little. */
const mostAwaited = 200

/** The instant after which a forecast says no more. */
function horizonOf(now: Millis, { lengths }: Pick<Observed, 'lengths'>): Millis {
  const whole = lengths.filter(({ isWhole }) => isWhole).map(({ ms }) => ms)
  const typical = whole.length === 0 ? 0 : quantile(ascending(whole), 0.5)
  return now + Math.max(horizonMs, horizonRuns * typical)
}

/** Returns a forecast by number for those who can be known. The same task gives the same answer. */
export function forecastOf(task: ForecastTask): Map<PullRequestNumber, RawForecast> {
  const queue: Queue = JSON.parse(task.copy)
  const { observed, now, seed, simulations } = task
  const draws = new Draws(seed)
  const evidence = evidenceOf(observed, suspicionOf(queue))
  const beliefs = new Beliefs(evidence, draws)
  const lengths = new Lengths(observed.lengths)
  const awaited = awaitedIn(queue)
  const until = horizonOf(now, observed)
  const runs: Forward[] = []
  let left = mostCommands
  while (runs.length < simulations && (left > 0 || runs.length < fewestSimulations)) {
    const newcomers = new Newcomers(observed, now, draws)
    const parts = { world: beliefs.next(), lengths, newcomers, draws }
    const run = new Forward(
      task.copy,
      { now, awaited },
      { ...parts, flakyTests: evidence.flakyTests },
    )
    runs.push(run.run({ until, mostCommands: mostCommands / fewestSimulations }))
    left -= run.commands
  }
  return new Map(
    awaited.flatMap((number) => {
      const raw = rawOf(number, now, runs)
      return raw ? [[number, raw] as const] : []
    }),
  )
}

function suspicionOf(queue: Queue): Parameters<typeof evidenceOf>[1] {
  const present = Object.values(queue.pullRequests).filter(({ home }) => home.in !== 'nowhere')
  const isProven = (each: (typeof present)[number]): boolean =>
    each.verifiedBy !== null || each.state === 'TESTS_PASSED'
  return {
    live: present.map(({ submission }) => submission),
    proven: present.filter(isProven).map(({ submission }) => submission),
    isKnownFlake: (test) => queue.flakyTests[testKey({ name: test })] === true,
  }
}

/** Those in line and those that start next. Nobody knows when one that is not ready will be. */
function awaitedIn(queue: Queue): PullRequestNumber[] {
  const startsNew = queue.state === 'RUNNING'
  return Object.values(queue.pullRequests)
    .filter(({ home, state }) => {
      if (home.in === 'nowhere' || state === 'NOT_READY') return false
      return startsNew || home.in !== 'order'
    })
    .sort((a, b) => Number(a.home.in === 'order') - Number(b.home.in === 'order') || before(a, b))
    .slice(0, mostAwaited)
    .map(({ number }) => number)
}

type Ordered = { readonly priority: number; readonly submission: number }
const before = (a: Ordered, b: Ordered): number =>
  a.priority - b.priority || a.submission - b.submission

/** Null if it lands in too few simulations to say when. */
function rawOf(
  number: PullRequestNumber,
  now: Millis,
  runs: readonly Forward[],
): RawForecast | null {
  const known = runs.filter(({ lost }) => !lost.has(number))
  if (known.length < fewestSimulations / 4) return null
  const minutes = known.map(({ landed }) => ((landed.get(number) ?? Infinity) - now) / minuteMs)
  const sorted = ascending(minutes)
  // The truth is one more draw, and a long line is simulated only twenty times.
  const [low, median, high] = [0.1, 0.5, 0.9].map((share) => nextQuantile(sorted, share))
  if (low === undefined || median === undefined || high === undefined) return null
  return { low, median, high, lands: known.length / runs.length }
}
