/**
 * Random climates: whether some load, breaks, flakes and clashes bring the proposed setting to a livelock, in which
 * restarts feed restarts.
 */

import { columns } from '../../server/terminal/text.ts'
import { measuredRun } from '../../sim/judge/measurement.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { diceOf } from '../../sim/swarm/scenario-draft.ts'
import { frozenScenario } from '../queues/fair-scenario.ts'
import { figure } from '../statistics/effects.ts'
import { proposed } from './judge-place.ts'

const count = 120

/** How many times as fast the same pull requests come. */
const loads = [1, 2, 4] as const

type Weather = {
  readonly slots: number
  /** Of the length of a run, in minutes. */
  readonly p95: number
  readonly perHour: number
  readonly breakRate: number
  readonly clashRate: number
  readonly baseAge: number
  readonly flakes: number
}

export type Climate = Weather & {
  readonly seed: number
  /** The share of the pull requests that merged. */
  readonly merged: number
  /** CI minutes per merge one at a time, and as proposed. */
  readonly minutesOneAtATime: number
  readonly minutes: number
  /** Merges per hour as proposed at each of `loads`, until the last one has ended. */
  readonly mergesPerHour: readonly number[]
}

function weatherOf(seed: number): Weather {
  const dice = diceOf(drawsOf(seed))
  return {
    slots: dice.pick('slots', [2, 5, 10, 20]),
    p95: dice.pick('p95', [20, 40, 90]),
    perHour: dice.pick('per hour', [2, 5, 15, 30, 100]),
    breakRate: dice.pick('break rate', [0, 0.03, 0.1, 0.2, 0.4]),
    clashRate: dice.pick('clash rate', [0, 0, 0.002, 0.01, 0.03]),
    baseAge: dice.pick('base age', [10, 60, 240]),
    flakes: dice.pick('flakes', [0, 0.02, 0.05, 0.15]),
  }
}

/** So many streams of pull requests come in each climate, because the end of one is chance. */
const draws = 8

/** What breaks, conflicts and clashes is drawn before any run. */
function streamsIn(seed: number, weather: Weather): Scenario[] {
  const { slots, p95, perHour, breakRate, clashRate, baseAge, flakes } = weather
  return Array.from({ length: draws }, (_, nth) =>
    frozenScenario({
      name: `climate ${seed}`,
      seed: seed + 1000 * nth,
      queue: { concurrency: slots },
      suite: { minutes: { median: 15, p95 } },
      traffic: { count, arrivals: { perHour }, breakRate, clashRate, baseAge },
      suiteFlakes: { perRun: flakes },
    }),
  )
}

/** The scenario with this queue, in which the same pull requests come so many times as fast. */
function atLoad(scenario: Scenario, queue: Scenario['queue'], load: number): Scenario {
  const { pullRequests = [] } = scenario
  return {
    ...scenario,
    queue: { ...scenario.queue, ...queue },
    pullRequests: pullRequests.map((each) => ({ ...each, at: (each.at ?? 0) / load })),
  }
}

type Sums = { readonly merged: number; readonly testMinutes: number; readonly minutes: number }

function measured(scenarios: readonly Scenario[], queue: Scenario['queue'], load: number): Sums {
  const sums = { merged: 0, testMinutes: 0, minutes: 0 }
  for (const each of scenarios) {
    const { totals, endedAtMinutes } = measuredRun(atLoad(each, queue, load)).figures
    sums.merged += totals.merged
    sums.testMinutes += totals.testMinutes
    sums.minutes += endedAtMinutes
  }
  return sums
}

/** The figures of a climate one at a time, and as proposed at each load. */
export function climateOf(seed: number): Climate {
  const weather = weatherOf(seed)
  const streams = streamsIn(seed, weather)
  const one = measured(streams, { concurrency: 1 }, 1)
  const { merged, testMinutes, ...usual } = measured(streams, proposed, 1)
  const more = loads.slice(1).map((load) => measured(streams, proposed, load))
  return {
    seed,
    ...weather,
    merged: merged / (draws * count),
    minutesOneAtATime: one.testMinutes / one.merged,
    minutes: testMinutes / merged,
    mergesPerHour: [{ merged, ...usual }, ...more].map((sums) => (60 * sums.merged) / sums.minutes),
  }
}

/** What no climate may need of CI minutes per merge, over what one at a time needs. */
const most = 2.5

/** The share of its merges per hour that a queue keeps at a greater load, at least: the end of a stream is chance. */
const leastKept = 0.7

/** Returns what is wrong in a climate; null if all is well. */
export function livelockIn({ minutes, minutesOneAtATime, mergesPerHour }: Climate) {
  if (minutes >= most * minutesOneAtATime) return 'dear'
  const [usual = 0] = mergesPerHour
  const falls = mergesPerHour.some((each) => each < leastKept * usual)
  return falls ? 'slower at a greater load' : null
}

/** The table of `compare climates`. */
export function climatesText(climates: readonly Climate[], width: number | null): string {
  const head = [
    ...['climate', 'slots', 'per hour', 'break', 'clash', 'flakes', 'merged, %'],
    ...['CI min one at a time', 'as proposed', 'times'],
    ...loads.map((load) => `merges per hour x${load}`),
    '',
  ]
  const rows = climates.map((climate) => [
    ...[climate.seed, climate.slots, climate.perHour].map(figure),
    ...[climate.breakRate, climate.clashRate, climate.flakes].map(String),
    ...[100 * climate.merged, climate.minutesOneAtATime, climate.minutes].map(figure),
    figure(climate.minutes / climate.minutesOneAtATime),
    ...climate.mergesPerHour.map(figure),
    livelockIn(climate) ?? '',
  ])
  const found = rows.filter((row) => row.at(-1) !== '').length
  const right = head.map((_, index) => index)
  return `${columns([head, ...rows], right, width)}\n${found} of ${rows.length} climates are dear or slower at a greater load\n`
}
