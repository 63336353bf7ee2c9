/** A history as a scenario: who comes when, what breaks, and what had to be assumed. */

import type { PullRequestEntry, Scenario } from '../scenario/scenario.ts'
import { toMinutes } from '../time.ts'
import type { CiRun } from './ci-runs.ts'
import type { JUnitRun } from './junit.ts'
import type { Landed } from './landed.ts'
import { lengthOf, minutesBySize, percentile, rounded, sizeModel } from './lengths.ts'

export type Imported = {
  readonly scenario: Scenario
  /** In whole sentences, also part of the scenario's description. */
  readonly assumptions: readonly string[]
  readonly facts: Facts
}

/** For the summary, beside what the scenario itself says. */
type Facts = {
  /** When the first one came. */
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** By hour of day, UTC. */
  readonly byHour: readonly number[]
  readonly minutes: readonly number[]
}

export type History = {
  readonly name: string
  /** What landed, of a repository. */
  readonly landed: readonly Landed[] | null
  readonly runs: readonly CiRun[] | null
  readonly junit: readonly JUnitRun[] | null
  /** Time is squeezed by this: as if so many such teams shared the queue. */
  readonly busier: number
}

/** At least one landing, or one run, must be there. */
export function imported(history: History): Imported {
  const parts = history.landed
    ? fromLanded(history.landed, history)
    : fromRuns(history.runs ?? [], history)
  const { entries, times, assumptions, minutes } = parts
  const firstAtMs = times[0] ?? 0
  const squeezed =
    history.busier === 1 ? [] : [`Time is squeezed ${history.busier} times: so much busier.`]
  const all = [...assumptions, ...squeezed]
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
      ...(flakyTests.length === 0 ? {} : { suiteFlakes: { tests: flakyTests } }),
      ...lostRunsOf(history.landed ? [] : (history.runs ?? [])),
    },
  }
}

type Parts = {
  /** In the order of their times. */
  readonly entries: readonly PullRequestEntry[]
  readonly times: readonly number[]
  readonly assumptions: readonly string[]
  /** Every length that was measured. */
  readonly minutes: readonly number[]
}

function fromLanded(landed: readonly Landed[], { runs, junit }: History): Parts {
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
      'What was reverted and not put in again breaks; text conflicts are not known, so there are none.',
      'Impacted targets are the folders at the top that it changes.',
      isGuessed
        ? `${sentence(sizeModel)}.`
        : 'Lengths are lognormal through the measured median and 95th percentile.',
      ...(runs && hasCommits
        ? [
            'Runs belong to pull requests by their commit: what failed last breaks, what failed and then passed flaked.',
          ]
        : []),
      ...(runs && !hasCommits
        ? ['The runs do not say what they tested, so only their lengths were used.']
        : []),
    ],
  }
}

/** Without a repository every commit that was tested, or else every run, is a pull request. */
function fromRuns(runs: readonly CiRun[], { junit }: History): Parts {
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
      `Every ${runs.some(({ commit }) => commit !== null) ? 'commit that was tested' : 'run'} is a pull request, submitted when it started.`,
      'What failed last breaks; what failed and then passed on the same commit flaked; text conflicts are not known, so there are none.',
      ...(errored > 0
        ? ['What errored was lost by the runner: that share of all runs is lost again.']
        : []),
    ],
  }
}

type Judged = {
  readonly breaks: boolean
  readonly flaked: boolean
  readonly minutes: number | null
}

/** What the runs of one pull request say about it; oldest first. */
function judgedBy(runs: readonly CiRun[]): Judged {
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

/** Tests that were seen to fail and pass within a run, and how often. */
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

/** To a thousandth of a second, as scenarios count. */
function minutesBetween(fromMs: number, toMs: number, busier: number): number {
  return toMinutes(Math.round((toMs - fromMs) / busier))
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
