/** A history as a scenario: arrivals, pull requests that break, and assumptions. */

import { scenarioDefaults } from '../scenario/scenario.ts'
import type { Assumption, Measurement, PullRequestEntry, Scenario } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'
import { count, several } from '../../server/terminal/text.ts'
import { assumedIf, assumedOf, percent, timedIn, usualConcurrency } from './sources.ts'
import type { Entries, ImportSources, LandedHistory } from './sources.ts'
import { type CiRun, erroredShare, isCommit, judgedBy, namesCommits } from './ci-runs.ts'
import { groupedBy } from './landings/grouped.ts'
import { type Clashing, clashingInLog, lastVerdicts, trafficOf } from './clashes.ts'
import type { JUnitRun } from './junit.ts'
import { habitsInWords } from './landings/classify.ts'
import type { LandedPullRequest } from './landed.ts'
import { percentile } from '../../server/terminal/percentile.ts'
import {
  type FailingLength,
  failingLengthOf,
  passingLengthOf,
  passingLengths,
  rounded,
  suiteOf,
} from '../statistics/run-lengths.ts'
import { minutesBySize } from './lengths.ts'
import {
  assumedOfWorld,
  lengthMeasured,
  measuredOf,
  targetsMeasured,
  type WorldFacts,
} from './world-figures.ts'

/** Returns the history as a scenario. It must have at least one landing or one run. */
export function imported(sources: ImportSources): Scenario {
  const { name, log, runs, allRuns, junit, busier } = sources
  const clashing = log && clashingInLog(log, runs ?? [])
  const failing = failingLengthOf(allRuns ?? runs ?? [])
  const lengths = { minutes: passingLengths(timedIn(sources), failing), failing }
  const parts = log
    ? fromLog(log, sources, { clashing, ...lengths })
    : fromRuns(runs ?? [], lengths)
  const { entries, times, minutes } = parts
  const baseAges = clashing?.baseAges ?? log?.baseAges ?? []
  const flakyTests = flakyTestsOf(junit ?? [])
  return historyScenario({
    name,
    description: describe(sources),
    busier,
    assumed: assumedOf(parts, sources),
    measured: [...lengthMeasured(minutes), ...targetsMeasured(entries)],
    queue: { concurrency: usualConcurrency },
    entries,
    minutes,
    hasTargets: true,
    world: { failing, times, baseAges, clashing },
    lostRunRate: erroredShare(runs ?? []),
    more: flakyTests.length === 0 ? {} : { suiteFlakes: { tests: flakyTests } },
  })
}

type History = {
  readonly name: string
  readonly description: string
  /** Divides all times. */
  readonly busier: number
  readonly assumed: readonly Assumption[]
  readonly measured: readonly Measurement[]
  readonly queue: NonNullable<Scenario['queue']>
  /** In order of their times. */
  readonly entries: readonly PullRequestEntry[]
  readonly minutes: Entries['minutes']
  readonly world: WorldFacts
  readonly hasTargets: boolean
  readonly lostRunRate: number
  /** What only some histories tell. */
  readonly more: Pick<Scenario, 'events' | 'resubmit' | 'suiteFlakes'>
}

/** The scenario of a history, with what is told of its world, and what is not. */
export function historyScenario(history: History): Scenario {
  const { name, description, busier, queue, world, hasTargets, lostRunRate } = history
  const { failing, clashing, times } = world
  const firstAtMs = times[0] ?? 0
  return {
    name,
    description,
    assumed: [...history.assumed, ...assumedOfWorld(world)],
    measured: [...history.measured, ...measuredOf(world)],
    queue,
    ...suiteOf(history.minutes, failing),
    pullRequests: history.entries.map((entry, index) => ({
      ...entry,
      at: minutesBetween(firstAtMs, times[index] ?? 0, busier),
    })),
    ...history.more,
    ...trafficOf(clashing, { hasTargets, busier }),
    startsAt: new Date(firstAtMs).toISOString(),
    ...(busier === 1 ? {} : { dayMinutes: scenarioDefaults.dayMinutes / busier }),
    ...(lostRunRate === 0 ? {} : { faults: { lostRunRate } }),
  }
}

function describe({ log, runs, allRuns }: ImportSources): string {
  const [taken, all] = [runs?.length ?? 0, allRuns?.length ?? 0]
  const from = log
    ? `from the log of the branch ${log.branch}: ${habitsInWords(log.classified.landings).join('; ')}`
    : `from ${taken < all ? `the last ${count(taken)} of ` : ''}${several(all, 'test run')}`
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

/** Rounded to a thousandth of a second, the resolution of scenarios. */
export function minutesBetween(fromMs: number, toMs: number, busier: number): number {
  return toMinutes(Math.round((toMs - fromMs) / busier))
}

// The pull requests that landed in a repository.

/** What the sources tell of the lengths of runs. */
type Lengths = Pick<Entries, 'minutes'> & { readonly failing: FailingLength | null }

function fromLog(
  log: LandedHistory,
  { runs, minutes }: ImportSources,
  { clashing, failing, minutes: measured }: Lengths & { readonly clashing: Clashing | null },
): Entries {
  const { landed } = log
  const isGuessed = measured.length === 0
  const sizes = landed.map(({ size }) => size)
  const median = { size: percentile(sizes, 50), minutes }
  const verdictOf = lastVerdicts(runs ?? [])
  // On a branch that was broken before, a failure is not its own.
  const isOthers = ({ number, landing }: LandedPullRequest): boolean =>
    clashing?.clashed.has(number) === true ||
    verdictOf(landing.commits[0].parents[0] ?? '')?.outcome === 'failed'
  const all = landed.map((each) => {
    const { number, origin, landing, size, isReverted, reverts, targets } = each
    const isOwn = (commit: string | null): boolean =>
      landing.commits.some(({ hash }) => isCommit(commit, hash))
    const own = (runs ?? []).filter(({ commit }) => isOwn(commit))
    const judged = judgedBy(own)
    const length = passingLengthOf(own, failing)
    return {
      number,
      ...(origin === null ? {} : { origin }),
      ...(isReverted || (judged.breaks && !isOthers(each)) ? { breaks: true } : {}),
      ...(reverts.length > 0 ? { fixes: reverts } : {}),
      ...(judged.flaked ? { flakyRuns: [1] } : {}),
      ...(isGuessed ? { testMinutes: minutesBySize(size, median) } : {}),
      ...(length === null ? {} : { testMinutes: length }),
      targets,
    }
  })
  const knowsCommits = namesCommits(runs ?? [])
  return {
    entries: all,
    times: landed.map(({ landing }) => landing.atMs),
    minutes: measured,
    flaked: knowsCommits ? all.filter(({ flakyRuns }) => flakyRuns !== undefined).length : null,
    assumed: [
      {
        what: 'submitted',
        value: 'when it landed, for a log has no other time',
        replace: 'at in pullRequests',
      },
      breaksAssumed(all.filter(({ breaks }) => breaks).length, all.length, knowsCommits),
      isGuessed
        ? lengthAssumed(log, minutes)
        : {
            what: 'run length',
            value: `lognormal with the measured median and 95th percentile${knowsCommits ? ', where no run names its commit' : ''}`,
            replace: 'suite.minutes',
          },
      ...sharedAssumed(log),
      ...numbersAssumed(log),
      {
        what: 'targets',
        value: 'the top-level folders that it changes; they count in parallel mode',
        replace: 'targets in pullRequests',
      },
    ],
  }
}

function breaksAssumed(breaking: number, all: number, knowsCommits: boolean): Assumption {
  const how = knowsCommits
    ? 'reverted and not merged again, or its last run failed and that of the commit before had not'
    : 'reverted and not merged again; a log lacks what failed before it landed'
  return {
    what: 'breaking',
    value: `${count(breaking)} of ${count(all)}, ${percent(breaking, all)}: ${how}`,
    replace: knowsCommits
      ? 'breaks in pullRequests'
      : '--runs with a column commit, or breaks in pullRequests',
  }
}

const sizeUnits = { lines: 'lines', files: 'files', nothing: null }

function lengthAssumed({ sizesIn }: LandedHistory, minutes: number): Assumption {
  const unit = sizeUnits[sizesIn]
  const [least, most] = [rounded(minutes / 2), rounded(minutes * 3)]
  const missing = sizesIn === 'files' ? '; lines are unknown, because blobs are missing' : ''
  const value =
    unit === null
      ? `${minutes} min each; sizes are unknown, because trees are missing`
      : `${minutes} min for the median change, twice for ten times its ${unit}, from ${least} to ${most} min${missing}`
  return { what: 'run length', value, replace: '--runs, --junit or --minutes' }
}

/** A batch that landed as one commit tells only the size of all its members together. */
function sharedAssumed({ landed }: LandedHistory): Assumption[] {
  const shared = landed.filter(({ landing }) => landing.together > 1).length
  const value = `${several(shared, 'pull request')} of batches share the size of their commit evenly, and have all its targets`
  return assumedIf(shared > 0, 'sizes', value, 'testMinutes in pullRequests')
}

function numbersAssumed({ landed }: LandedHistory): Assumption[] {
  const invented = landed.filter(({ origin }) => origin !== null)
  const [first] = invented
  const some = `${several(invented.length, 'number')} invented, from ${first?.number ?? 0} on`
  const value = `${some}; origin says what the history calls the pull request`
  return assumedIf(invented.length > 0, 'numbers', value, 'number in pullRequests')
}

// Test runs without a repository: each tested commit, or each run, is a pull request.

function fromRuns(runs: readonly CiRun[], { minutes, failing }: Lengths): Entries {
  // A run that names no commit is one of its own.
  const all = [...groupedBy(runs, (run) => run.commit ?? run).values()]
  const entries = all.map((group, index) => {
    const { breaks, flaked } = judgedBy(group)
    const length = passingLengthOf(group, failing)
    return {
      number: index + 1,
      ...(breaks ? { breaks: true } : {}),
      ...(flaked ? { flakyRuns: [1] } : {}),
      ...(length === null ? {} : { testMinutes: length }),
    }
  })
  const knowsCommits = namesCommits(runs)
  const breaking = entries.filter(({ breaks }) => breaks).length
  const judged = knowsCommits ? 'the last run of its commit failed' : 'its run failed, flake or not'
  return {
    entries,
    times: all.map(([first]) => first?.startedAtMs ?? 0),
    minutes,
    flaked: knowsCommits ? entries.filter(({ flakyRuns }) => flakyRuns !== undefined).length : null,
    assumed: [
      {
        what: 'pull requests',
        value: `${count(entries.length)}: ${knowsCommits ? 'each tested commit' : 'each run'} is one, numbered in order`,
        replace: knowsCommits ? '--git' : '--git, or a column commit',
      },
      {
        what: 'submitted',
        value: `when its ${knowsCommits ? 'first ' : ''}run started`,
        replace: 'at in pullRequests',
      },
      {
        what: 'breaking',
        value: `${count(breaking)} of ${count(entries.length)}, ${percent(breaking, entries.length)}: ${judged}`,
        replace: knowsCommits ? 'breaks in pullRequests' : 'a column commit',
      },
    ],
  }
}
