/** A history as a scenario: arrivals, pull requests that break, and assumptions. */

import { scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'
import { assumedOf, usualConcurrency } from './assumptions.ts'
import { fromLog } from './from-log.ts'
import { fromRuns } from './from-runs.ts'
import { erroredShare } from './judged.ts'
import type { JUnitRun } from './junit.ts'
import { habitsInWords } from './landings/habits.ts'
import { lengthOf } from './lengths.ts'
import type { ImportSources } from './sources.ts'

export type Imported = { readonly scenario: Scenario; readonly facts: ImportFacts }

/** Facts for the summary that the scenario does not contain. */
type ImportFacts = {
  /** When the first pull request arrived, in milliseconds since 1970. */
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** Arrivals by hour of day, UTC. */
  readonly byHour: readonly number[]
  /** Measured lengths of runs. */
  readonly minutes: readonly number[]
  /** How many flaked; null if the sources cannot tell. */
  readonly flaked: number | null
  /** How pull requests landed, in words; none without a log. */
  readonly habits: readonly string[]
}

/** Returns the history as a scenario. It must have at least one landing or one run. */
export function imported(sources: ImportSources): Imported {
  const { name, log, runs, junit, busier } = sources
  const parts = log ? fromLog(log, sources) : fromRuns(runs ?? [], sources)
  const { entries, times, minutes, flaked } = parts
  const firstAtMs = times[0] ?? 0
  const flakyTests = flakyTestsOf(junit ?? [])
  const length = lengthOf(minutes)
  const lostRunRate = log ? 0 : erroredShare(runs ?? [])
  const habits = log ? habitsInWords(log.classified.landings) : []
  return {
    facts: {
      firstAtMs,
      lastAtMs: times.at(-1) ?? firstAtMs,
      byHour: byHour(times),
      minutes,
      flaked,
      habits,
    },
    scenario: {
      name,
      description: describe(sources, habits),
      assumed: assumedOf(parts, sources),
      queue: { concurrency: usualConcurrency },
      ...(length === null ? {} : { suite: { minutes: length } }),
      pullRequests: entries.map((entry, index) => ({
        ...entry,
        at: minutesBetween(firstAtMs, times[index] ?? 0, busier),
      })),
      startsAt: new Date(firstAtMs).toISOString(),
      ...(busier === 1 ? {} : { dayMinutes: scenarioDefaults.dayMinutes / busier }),
      ...(flakyTests.length === 0 ? {} : { suiteFlakes: { tests: flakyTests } }),
      ...(lostRunRate === 0 ? {} : { faults: { lostRunRate } }),
    },
  }
}

function describe({ log }: ImportSources, habits: readonly string[]): string {
  const from = log
    ? `from the log of the branch ${log.branch}: ${habits.join('; ')}`
    : 'from test runs'
  return `Imported ${from}. The list assumed says what the history does not tell.`
}

/** The tests that failed and passed within a run, and their rates. */
function flakyTestsOf(junit: readonly JUnitRun[]) {
  const seen = new Map<string, number>()
  for (const { flaky } of junit) {
    for (const name of new Set(flaky)) seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return [...seen].map(([name, times]) => ({
    name,
    rate: Math.round((1e4 * times) / junit.length) / 1e4,
    retryPassRate: 1,
  }))
}

/** How many of the times are in each hour of the day, UTC. */
export function byHour(times: readonly number[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const time of times) {
    const hour = new Date(time).getUTCHours()
    hours[hour] = (hours[hour] ?? 0) + 1
  }
  return hours
}

/** Rounded to a thousandth of a second, the resolution of scenarios. */
export function minutesBetween(fromMs: number, toMs: number, busier: number): number {
  return toMinutes(Math.round((toMs - fromMs) / busier))
}
