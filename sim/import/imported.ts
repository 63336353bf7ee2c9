/** A history as a scenario: arrivals, pull requests that break, and assumptions. */

import { scenarioDefaults, type PullRequestEntry, type Scenario } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'
import type { CiRun } from './ci-runs.ts'
import type { JUnitRun } from './junit.ts'
import type { LandedPullRequest } from './landed.ts'
import { lengthOf, minutesBySize, percentile, rounded, sizeModel } from './lengths.ts'

export type Imported = {
  readonly scenario: Scenario
  /** Whole sentences, which are also part of the scenario's description. */
  readonly assumptions: readonly string[]
  readonly facts: ImportFacts
}

/** Facts for the summary that the scenario does not contain. */
type ImportFacts = {
  /** When the first pull request arrived, in milliseconds since 1970. */
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** Arrivals by hour of day, UTC. */
  readonly byHour: readonly number[]
  /** Measured lengths of runs. */
  readonly minutes: readonly number[]
}

export type ImportSources = {
  readonly name: string
  /** The pull requests that landed in a repository. */
  readonly landed: readonly LandedPullRequest[] | null
  readonly runs: readonly CiRun[] | null
  readonly junit: readonly JUnitRun[] | null
  /** Divides all times, as if this many such teams shared the queue. */
  readonly busier: number
}

/** Returns the history as a scenario. It must have at least one landing or one run. */
export function imported(history: ImportSources): Imported {
  const parts = history.landed
    ? fromLanded(history.landed, history)
    : fromRuns(history.runs ?? [], history)
  const { entries, times, assumptions, minutes } = parts
  const firstAtMs = times[0] ?? 0
  const compressed =
    history.busier === 1 ? [] : [`All times are divided by ${history.busier}, for a busier queue.`]
  const all = [...assumptions, ...compressed]
  const flakyTests = flakyTestsOf(history.junit ?? [])
  const length = lengthOf(minutes)
  return {
    assumptions: all,
    facts: {
      firstAtMs,
      lastAtMs: times.at(-1) ?? firstAtMs,
      byHour: byHour(times),
      minutes,
    },
    scenario: {
      name: history.name,
      description: `Imported. ${all.join(' ')}`,
      queue: { concurrency: 5 },
      ...(length === null ? {} : { suite: { minutes: length } }),
      pullRequests: entries.map((entry, index) => ({
        ...entry,
        at: minutesBetween(firstAtMs, times[index] ?? 0, history.busier),
      })),
      ...(history.busier === 1 ? {} : { dayMinutes: scenarioDefaults.dayMinutes / history.busier }),
      ...(flakyTests.length === 0 ? {} : { suiteFlakes: { tests: flakyTests } }),
      ...lostRunsOf(history.landed ? [] : (history.runs ?? [])),
    },
  }
}

type ImportedEntries = {
  /** In order of their times. */
  readonly entries: readonly PullRequestEntry[]
  readonly times: readonly number[]
  readonly assumptions: readonly string[]
  /** Every measured length. */
  readonly minutes: readonly number[]
}

function fromLanded(
  landed: readonly LandedPullRequest[],
  { runs, junit }: ImportSources,
): ImportedEntries {
  const measured = [...(runs ?? []).flatMap((run) => run.minutes ?? []), ...lengthsOf(junit)]
  const median = percentile(
    landed.map(({ landing }) => landing.lines),
    50,
  )
  const isGuessed = measured.length === 0
  const entries = landed.map(({ number, landing, isReverted, reverts, targets }) => {
    const tested = judgedBy((runs ?? []).filter(({ commit }) => isOf(commit, landing.hash)))
    return {
      number,
      ...(isReverted || tested.breaks ? { breaks: true } : {}),
      ...(reverts.length > 0 ? { fixes: reverts } : {}),
      ...(tested.flaked ? { flakyRuns: [1] } : {}),
      ...(isGuessed ? { testMinutes: minutesBySize(landing.lines, median) } : {}),
      ...(tested.minutes === null ? {} : { testMinutes: tested.minutes }),
      targets,
    }
  })
  const hasCommits = (runs ?? []).some(({ commit }) => commit !== null)
  return {
    entries,
    times: landed.map(({ landing }) => landing.atMs),
    minutes: measured,
    assumptions: [
      'Every commit on the first-parent line is a pull request, submitted when it landed.',
      'A pull request that was reverted and not merged again breaks; text conflicts are unknown, so there are none.',
      'The impacted targets of a pull request are the top-level folders that it changes.',
      isGuessed
        ? `${sentence(sizeModel)}.`
        : 'Lengths of runs are lognormal with the measured median and 95th percentile.',
      ...(runs && hasCommits
        ? [
            'Runs belong to pull requests by their commit: a pull request whose last run failed breaks; one that failed and then passed flaked.',
          ]
        : []),
      ...(runs && !hasCommits
        ? ['The runs do not name the commit they tested, so only their lengths were used.']
        : []),
    ],
  }
}

/** Without a repository, each tested commit and each run without a commit is a pull request. */
function fromRuns(runs: readonly CiRun[], { junit }: ImportSources): ImportedEntries {
  const groups = new Map<string, CiRun[]>()
  for (const [index, run] of runs.entries()) {
    const key = run.commit ?? `run ${index}`
    const group = groups.get(key)
    if (group) group.push(run)
    else groups.set(key, [run])
  }
  const all = [...groups.values()]
  const errored = runs.filter(({ outcome }) => outcome === 'errored').length
  return {
    entries: all.map((group, index) => {
      const { breaks, flaked, minutes } = judgedBy(group)
      return {
        number: index + 1,
        ...(breaks ? { breaks: true } : {}),
        ...(flaked ? { flakyRuns: [1] } : {}),
        ...(minutes === null ? {} : { testMinutes: minutes }),
      }
    }),
    times: all.map(([first]) => first?.startedAtMs ?? 0),
    minutes: [...runs.flatMap((run) => run.minutes ?? []), ...lengthsOf(junit)],
    assumptions: [
      runs.some(({ commit }) => commit !== null)
        ? 'Every tested commit is a pull request, submitted when its first run started.'
        : 'Every run is a pull request, submitted when it started.',
      'A pull request whose last run failed breaks; one that failed and then passed on the same commit flaked; text conflicts are unknown, so there are none.',
      ...(errored > 0
        ? [
            'Runs that errored count as lost by the runner; the same share of simulated runs is lost.',
          ]
        : []),
    ],
  }
}

type JudgedLanding = {
  readonly breaks: boolean
  readonly flaked: boolean
  readonly minutes: number | null
}

/** Judges a pull request by its runs, oldest first. */
function judgedBy(runs: readonly CiRun[]): JudgedLanding {
  const verdicts = runs.filter(({ outcome }) => outcome !== 'errored')
  const breaks = verdicts.at(-1)?.outcome === 'failed'
  const flaked = !breaks && verdicts.some(({ outcome }) => outcome === 'failed')
  const known = runs.flatMap(({ minutes }) => minutes ?? [])
  return { breaks, flaked, minutes: known.length === 0 ? null : rounded(Math.max(...known)) }
}

function isOf(commit: string | null, hash: string): boolean {
  return commit !== null && commit.length >= 7 && hash.startsWith(commit)
}

function lostRunsOf(runs: readonly CiRun[]): Pick<Scenario, 'faults'> {
  const errored = runs.filter(({ outcome }) => outcome === 'errored').length
  if (errored === 0) return {}
  return { faults: { lostRunRate: Math.round((1e4 * errored) / runs.length) / 1e4 } }
}

const lengthsOf = (junit: readonly JUnitRun[] | null): number[] =>
  (junit ?? []).map(({ minutes }) => minutes)

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

function byHour(times: readonly number[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const time of times) {
    const hour = new Date(time).getUTCHours()
    hours[hour] = (hours[hour] ?? 0) + 1
  }
  return hours
}

/** Rounded to a thousandth of a second, the resolution of scenarios. */
function minutesBetween(fromMs: number, toMs: number, busier: number): number {
  return toMinutes(Math.round((toMs - fromMs) / busier))
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
