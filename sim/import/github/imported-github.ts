/** A history from GitHub as a scenario. */

import type { Configuration } from '../../../engine/index.ts'
import type { Assumption, Measurement, Scenario } from '../../scenario/scenario.ts'
import { count, several } from '../../../server/terminal/text.ts'
import { arrivalsAssumed, assumedIf, percent, someAssumed, usualConcurrency } from '../sources.ts'
import { erroredShare } from '../ci-runs.ts'
import { historyScenario, minutesBetween } from '../imported.ts'
import { percentile } from '../../../server/terminal/percentile.ts'
import { failingLengthOf, passingLengths, rounded } from '../../statistics/run-lengths.ts'
import { usualMinutes } from '../lengths.ts'
import { lengthMeasured, measured as figure, spread, targetsMeasured } from '../world-figures.ts'
import { clashingIn, streamOf, type TimedStream } from './entries.ts'
import { type Content, type GitHubHistory, timed } from './history.ts'
import type { Rule } from './records.ts'
import type { Round, Tested } from './tested.ts'
import { type SubmissionKind, submissionKinds } from './signals.ts'

type Naming = {
  readonly name: string
  /** Divides all times, as if this many such teams shared the queue. */
  readonly busier: number
}

/** Returns the history as a scenario. It must have at least one submission. */
export function importedGitHub(history: GitHubHistory, { name, busier }: Naming): Scenario {
  const clashing = clashingIn(history)
  const rounds = history.contents.flatMap((each) => each.rounds)
  const runs = rounds.map(timed)
  const failing = failingLengthOf(runs)
  const minutes = passingLengths(runs, failing)
  const stream = streamOf(history, clashing, failing)
  const { entries, events } = stream
  const times = entries.map(({ atMs }) => atMs)
  const { records, branch } = history
  const from = records.repository ? `${records.repository.full_name} on GitHub` : 'GitHub'
  const actions = events.map(({ atMs, ...event }) => ({
    ...event,
    at: minutesBetween(times[0] ?? 0, atMs, busier),
  }))
  return historyScenario({
    name,
    busier,
    minutes,
    description: `Imported from the history of ${from}, branch ${branch}. The list measured says what the history tells, assumed what it does not tell.`,
    assumed: assumedIn(history, stream, busier),
    measured: measuredIn(history, stream, minutes),
    queue: {
      concurrency: concurrencyOf(history)?.most ?? usualConcurrency,
      ...settingsOf(history),
    },
    entries: entries.map(({ entry }) => entry),
    world: { failing, times, baseAges: clashing?.baseAges ?? [], clashing },
    hasTargets: records.files.size > 0,
    lostRunRate: erroredShare(rounds),
    more: { ...(actions.length === 0 ? {} : { events: actions }), ...resubmitIn(history, busier) },
  })
}

/** Who was evicted by a flake comes back after the time after which people repeated a run. */
function resubmitIn({ contents }: GitHubHistory, busier: number): Pick<Scenario, 'resubmit'> {
  const gaps = contents.flatMap(({ repeatedAfter }) => repeatedAfter)
  if (gaps.length === 0) return {}
  // The schema knows no shorter time.
  return { resubmit: { afterMinutes: Math.max(1, rounded(percentile(gaps, 50) / busier)) } }
}

// What a history from GitHub does not tell.

/** Returns what is assumed, the weightiest first. */
function assumedIn(history: GitHubHistory, { entries }: TimedStream, busier: number): Assumption[] {
  const { records } = history
  return [
    ...concurrency(history),
    ...submissions(history),
    ...breaking(history),
    ...lengthsAssumed(entries.map(({ entry }) => entry.testMinutes !== undefined)),
    ...always,
    ...targetsAssumed(records.files.size, records.pulls.length),
    ...leftOut(history),
    ...arrivalsAssumed(busier),
  ]
}

/** What no history from GitHub tells. */
const always: readonly Assumption[] = [
  {
    what: 'flakes',
    value: 'only runs that were repeated on the same commits; what nobody repeated is a failure',
    replace: 'flakyRuns in pullRequests, or --set suiteFlakes.perRun=<rate>',
  },
  {
    what: 'text conflicts',
    value: 'none: GitHub does not tell why its queue removed a pull request',
    replace: 'conflictsWith in pullRequests',
  },
  {
    what: 'priorities',
    value: 'none: the timeline does not tell who jumped the queue',
    replace: 'priority in pullRequests',
  },
]

function concurrency(history: GitHubHistory): Assumption[] {
  const known = concurrencyOf(history)
  const most = several(known?.most ?? usualConcurrency, 'run')
  const value = `${most} at a time${known ? ': the most that were seen, so a lower bound' : ''}`
  const replace = '--set queue.concurrency=<n>, or rules.json in the folder'
  return assumedIf(known?.from !== 'rule', 'concurrency', value, replace)
}

function breaking({ contents }: GitHubHistory): Assumption[] {
  const times = (is: (content: Content) => boolean): number => contents.filter(is).length
  const replace = 'breaks in pullRequests'
  return [
    ...someAssumed(
      'breaking',
      times(({ rounds }) => rounds.length === 0),
      'without a run are healthy',
      'runs.json or check-runs/<sha>.json in the folder',
    ),
    ...someAssumed(
      'breaking',
      times(({ isMergedRed }) => isMergedRed),
      'merged although their last run failed, and are healthy',
      replace,
    ),
    ...someAssumed(
      'breaking',
      times(({ outcome, rounds }) => outcome === 'cancelled' && rounds.length > 0),
      'left the queue without a failed run, and are healthy',
      replace,
    ),
  ]
}

function lengthsAssumed(areKnown: readonly boolean[]): Assumption[] {
  const what = 'run length'
  if (!areKnown.includes(true)) {
    const replace = 'runs.json in the folder, or --set suite.minutes=<n>'
    return [{ what, value: `${usualMinutes} min each`, replace }]
  }
  const value = 'where none was measured: lognormal with the measured median and 95th percentile'
  return assumedIf(areKnown.includes(false), what, value, 'testMinutes in pullRequests')
}

function submissions({ contents }: GitHubHistory): Assumption[] {
  const times = (...kinds: readonly string[]): number =>
    contents.filter(({ attempts }) => kinds.includes(attempts[0].kind)).length
  const replace = 'timeline/<number>.json in the folder'
  return [
    ...someAssumed(
      'submitted',
      times('landing'),
      'when they landed, as nothing else is told',
      replace,
    ),
    ...someAssumed(
      'submitted',
      times('approval'),
      'when they were approved and had their last commits, as nobody queued',
      '--queue-label <name>, or at in pullRequests',
    ),
  ]
}

function targetsAssumed(known: number, all: number): Assumption[] {
  const value = known === 0 ? 'none' : `none for ${several(all - known, 'pull request')}`
  return assumedIf(known < all, 'targets', value, 'files/<number>.json in the folder')
}

function leftOut({ leftOut: left, bots, branch }: GitHubHistory): Assumption[] {
  return [
    ...someAssumed('releases', left.releases, 'left out', '--with-releases'),
    ...someAssumed('bots', left.bots, 'left out', 'leave --without-bots out'),
    ...someAssumed('bots', bots, 'of the pull requests, which stay', '--without-bots'),
    ...someAssumed(
      'other branches',
      left.otherBranch,
      `left out: they are not for ${branch}`,
      '--branch',
    ),
    ...someAssumed(
      'not submitted',
      left.neverSubmitted,
      'left out: closed without a submission',
      '--queue-label <name>',
    ),
    ...someAssumed('open', left.open, 'left out: they had not ended', 'a later download'),
    { what: 'direct pushes', value: 'left out', replace: '--git, which counts them' },
  ]
}

// What a history from GitHub tells: each figure with the number of samples that it comes from.

/** Kinds of signals that tell when somebody asked to merge. */
const told: Readonly<Record<SubmissionKind, string>> = {
  'merge queue': 'when they entered the merge queue',
  comment: 'by a comment',
  label: 'by a label',
  'first test in the queue': 'when the queue first tested them',
  'auto-merge': 'when auto-merge was enabled',
  approval: 'when they were approved',
  landing: 'when they landed',
}

/** Returns the figures, the weightiest first. A figure without samples is missing. */
function measuredIn(
  history: GitHubHistory,
  { entries, events }: TimedStream,
  minutes: readonly number[],
): Measurement[] {
  const { contents } = history
  const rounds = contents.flatMap((each) => each.rounds)
  const own = entries.map(({ entry }) => entry)
  const tested = contents.filter((each) => each.rounds.length > 0)
  return [
    ...figure('submitted', submittedBy(contents), contents.length, 'submission'),
    ...concurrencyIn(history),
    ...lengthMeasured(minutes),
    ...figure('breaking', brokenOf(entries), tested.length, 'submission'),
    ...figure('flakes', flakesOf(contents), tested.length, 'submission'),
    ...repeated(contents),
    ...figure('lost runs', lostOf(rounds), rounds.length, 'run'),
    ...figure('cancelled runs', cancelledOf(rounds), rounds.length, 'run'),
    ...figure(
      'taken out',
      takenOut(events.map((event) => event.do)),
      contents.length,
      'submission',
    ),
    ...timeToMerge(contents),
    ...targetsMeasured(own),
  ]
}

function submittedBy(contents: readonly Content[]): string {
  const kinds = contents.map(({ attempts }) => attempts[0].kind)
  return submissionKinds
    .map((kind) => ({ kind, times: kinds.filter((each) => each === kind).length }))
    .filter(({ times }) => times > 0)
    .map(({ kind, times }) => `${count(times)} ${told[kind]}`)
    .join(', ')
}

function concurrencyIn(history: GitHubHistory): Measurement[] {
  const known = concurrencyOf(history)
  if (!known) return []
  const value = `${several(known.most, 'run')} at a time: ${known.from === 'rule' ? 'the setting of the merge queue' : 'the most that were seen'}`
  return [{ what: 'concurrency', value, samples: known.samples }]
}

function brokenOf(entries: TimedStream['entries']): string {
  const tested = entries.filter(({ content }) => content.rounds.length > 0)
  const broken = tested.filter(({ entry }) => entry.breaks).length
  return `${count(broken)}, ${percent(broken, tested.length)}`
}

/** A flake is a test that failed, and passed on the same commits. */
function flakesOf(contents: readonly Content[]): string {
  const flaky = contents.filter(({ flaked }) => flaked > 0)
  const runs = flaky.reduce((sum, { flaked }) => sum + flaked, 0)
  const failed = `${several(runs, 'run')} failed and passed on the same commits`
  return runs === 0 ? failed : `${failed}, of ${several(flaky.length, 'pull request')}`
}

/** After a failure that was a flake. */
function repeated(contents: readonly Content[]): Measurement[] {
  const gaps = contents.flatMap(({ repeatedAfter }) => repeatedAfter)
  return figure('tested again', spread(gaps, 'within'), gaps.length, 'flake')
}

/** The share of runs that gave no verdict. */
function lostOf(rounds: readonly Round[]): string {
  return `${percent(rounds.filter(({ outcome }) => outcome === 'errored').length, rounds.length)} timed out or did not start`
}

function cancelledOf(rounds: readonly Round[]): string {
  const cancelled = rounds.filter(({ outcome }) => outcome === 'cancelled').length
  return `${count(cancelled)}, ${percent(cancelled, rounds.length)}`
}

function takenOut(events: readonly string[]): string {
  const times = (name: string): number => events.filter((each) => each === name).length
  return `${count(times('cancel'))} cancelled, ${count(times('close'))} closed, ${count(times('push'))} pushed to, ${count(times('submit'))} submitted again as they were`
}

function timeToMerge(contents: readonly Content[]): Measurement[] {
  const isKnown = ({ attempts, outcome }: Content): boolean =>
    outcome === 'merged' && attempts[0].kind !== 'landing' && attempts[0].kind !== 'approval'
  const minutes = contents
    .filter(isKnown)
    .map(({ attempts }) => ((attempts.at(-1)?.endedAtMs ?? 0) - attempts[0].atMs) / 60_000)
  return figure('until merged', spread(minutes), minutes.length, 'merge')
}

// What the history tells about the settings of the queue.

type Concurrency = {
  readonly most: number
  readonly from: 'rule' | 'runs'
  readonly samples: string
}

/** How many runs the queue has at a time: as its rule says, else the most that were seen. */
function concurrencyOf({ records, tested }: GitHubHistory): Concurrency | null {
  const most = ruleOf(records.rules)?.parameters?.max_entries_to_build ?? 0
  if (most > 0) return { most, from: 'rule', samples: '1 rule' }
  const ofQueue = tested.filter(({ place }) => place === 'queue')
  if (ofQueue.length === 0) return null
  return { most: peakOf(ofQueue), from: 'runs', samples: several(ofQueue.length, 'run') }
}

function settingsOf(history: GitHubHistory): Partial<Configuration> {
  const minutes = ruleOf(history.records.rules)?.parameters?.check_response_timeout_minutes
  return minutes === undefined ? {} : { testingTimeoutMinutes: minutes }
}

function ruleOf(rules: readonly Rule[] | null): Rule | undefined {
  return (rules ?? []).find(({ type }) => type === 'merge_queue')
}

/** The most commits that were tested at the same time. */
function peakOf(tested: readonly Tested[]): number {
  const changes = tested.flatMap(({ rounds }) => [
    { atMs: rounds[0].startedAtMs, by: 1 },
    { atMs: Math.max(...rounds.map(({ endedAtMs }) => endedAtMs)), by: -1 },
  ])
  let [now, most] = [0, 0]
  for (const { by } of changes.toSorted((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}
