/** What an import reads, and what it makes of each source. */

import type { Assumption, PullRequestEntry } from '../scenario/scenario.ts'
import { type Classified, caveatsOf } from './landings/classify.ts'
import { count, several } from '../../server/terminal/text.ts'
import { type CiRun, erroredShare } from './ci-runs.ts'
import type { ChangedFiles } from './changed-files.ts'
import type { JUnitRun } from './junit.ts'
import type { LandedPullRequest } from './landed.ts'
import { usualMinutes } from './lengths.ts'
import type { TimedRun } from '../statistics/run-lengths.ts'

/** A branch of a repository. */
export type LandedHistory = {
  readonly branch: string
  readonly landed: readonly LandedPullRequest[]
  readonly classified: Classified
  readonly sizesIn: ChangedFiles['countedIn']
  /** Of some merges, in minutes: how old the commit was from which they branched off. */
  readonly baseAges: readonly number[]
  /** The clone lacks older commits, which would have been read. */
  readonly isCut: boolean
}

export type ImportSources = {
  readonly name: string
  readonly log: LandedHistory | null
  readonly runs: readonly CiRun[] | null
  /** With those that are not imported, from which ratios are measured. Those imported if left out. */
  readonly allRuns?: readonly CiRun[] | null
  readonly junit: readonly JUnitRun[] | null
  /** Divides all times, as if this many such teams shared the queue. */
  readonly busier: number
  /** The assumed minutes of a run for the median change, where none was measured. */
  readonly minutes: number
}

/** A history as pull requests. */
export type Entries = {
  /** In order of their times. */
  readonly entries: readonly PullRequestEntry[]
  readonly times: readonly number[]
  readonly assumed: readonly Assumption[]
  /** The measured lengths of runs that pass. */
  readonly minutes: readonly number[]
  /** How many flaked; null if the sources cannot tell. */
  readonly flaked: number | null
}

/** The runs of a CSV file and of JUnit reports, with their lengths. */
export const timedIn = ({ runs, junit }: ImportSources): readonly TimedRun[] => [
  ...(runs ?? []),
  ...(junit ?? []).map(({ hasFailed, minutes }) => {
    return { outcome: hasFailed ? 'failed' : 'passed', minutes }
  }),
]

// What every import assumes, and what it leaves out: with the value, and how to replace it.

/** No history tells how many slots the queue has. */
export const usualConcurrency = 5

/** `0.4 %`, `12 %`; `0 %` only for nothing: half a percent of breaking pull requests matters. */
export function percent(part: number, whole: number): string {
  const value = whole === 0 ? 0 : (100 * part) / whole
  if (value === 0 || value >= 9.95) return `${Math.round(value)} %`
  return `${value < 0.095 ? value.toPrecision(1) : value.toFixed(1)} %`
}

/** The assumption, where it is made. */
export function assumedIf(
  isMade: boolean,
  what: string,
  value: string,
  replace: string,
): Assumption[] {
  return isMade ? [{ what, value, replace }] : []
}

/** An assumption about so many; none about nobody. */
export const someAssumed = (
  what: string,
  howMany: number,
  words: string,
  replace: string,
): Assumption[] => assumedIf(howMany > 0, what, `${count(howMany)} ${words}`, replace)

export const arrivalsAssumed = (busier: number): Assumption[] =>
  assumedIf(busier !== 1, 'arrivals', `all times divided by ${busier}`, '--busier 1')

/** Returns all assumptions, the weightiest first. */
export function assumedOf(parts: Entries, sources: ImportSources): Assumption[] {
  const { runs, junit, busier } = sources
  const lost = erroredShare(runs ?? [])
  return [
    {
      what: 'concurrency',
      value: `${usualConcurrency} runs at a time`,
      replace: '--set queue.concurrency=<n>',
    },
    ...parts.assumed,
    ...lengthOfRuns(parts, sources),
    flakes(parts, junit !== null),
    {
      what: 'lost runs',
      value: lost === 0 ? 'none' : `${percent(lost, 1)}: the runs that errored`,
      replace: '--set faults.lostRunRate=<rate>',
    },
    {
      what: 'text conflicts',
      value: 'none, for a history lacks them',
      replace: 'conflictsWith in pullRequests',
    },
    ...leftOut(sources),
    ...arrivalsAssumed(busier),
  ]
}

function lengthOfRuns({ minutes }: Entries, { log }: ImportSources): Assumption[] {
  const isGuessed = log === null && minutes.length === 0
  const replace = 'a column durationSeconds, --junit, or --set suite.minutes=<n>'
  return assumedIf(isGuessed, 'run length', `${usualMinutes} min each`, replace)
}

/** Where the sources cannot tell, nothing flakes, and that is said. */
function flakes({ flaked }: Entries, hasReports: boolean): Assumption {
  const what = 'flakes'
  if (flaked !== null) {
    const value = `${several(flaked, 'pull request')}, whose commit failed and then passed; others never`
    return { what, value, replace: 'flakyRuns in pullRequests, or --set suiteFlakes.perRun=<rate>' }
  }
  const value = hasReports
    ? 'only the tests that the JUnit reports show as flaky'
    : 'none, for the history cannot tell a flake from a failure'
  const replace = '--runs with a column commit, --junit, or --set suiteFlakes.perRun=<rate>'
  return { what, value, replace }
}

/** What the log holds and the scenario does not, and what the log cannot tell. */
function leftOut({ log }: ImportSources): Assumption[] {
  if (log === null) return []
  const { landings, releases, directPushes, botsLeftOut } = log.classified
  const bots = landings.filter(({ isOfBot }) => isOfBot).length
  const pushes = 'left out: no pull request is named'
  const stay = `of ${several(landings.length, 'pull request')}, which stay`
  return [
    ...assumedIf(
      log.isCut,
      'history',
      'ends where the clone does, which is shallow',
      'git fetch --unshallow',
    ),
    ...someAssumed('releases', releases, 'left out', '--with-releases'),
    ...someAssumed('direct pushes', directPushes, pushes, 'add entries to pullRequests'),
    ...someAssumed('bots', bots, stay, '--without-bots'),
    ...someAssumed('bots', botsLeftOut, 'left out', 'leave --without-bots out'),
    ...caveatsOf(landings).map((value) => ({
      what: 'landings',
      value,
      replace: 'edit pullRequests',
    })),
  ]
}
