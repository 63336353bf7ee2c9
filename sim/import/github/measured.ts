/** What a history from GitHub tells: each figure with the number of samples that it comes from. */

import type { Measurement, PullRequestEntry } from '../../scenario/scenario.ts'
import { count, duration, several } from '../../terminal/text.ts'
import { percentile } from '../lengths.ts'
import { percent } from '../percent.ts'
import { lengthOf, type Content } from './contents.ts'
import type { TimedStream } from './entries.ts'
import type { GitHubHistory } from './history.ts'
import { concurrencyOf } from './queue-settings.ts'
import type { Round } from './rounds.ts'
import { submissionKinds, type SubmissionKind } from './signals.ts'

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
export function measuredIn(
  history: GitHubHistory,
  { entries, events }: TimedStream,
): Measurement[] {
  const { contents } = history
  const rounds = contents.flatMap((each) => each.rounds)
  const own = entries.map(({ entry }) => entry)
  const figure = (what: string, value: string, samples: number, of: string): Measurement[] =>
    samples === 0 ? [] : [{ what, value, samples: several(samples, of) }]
  const tested = contents.filter((each) => each.rounds.length > 0)
  return [
    ...figure('submitted', submittedBy(contents), contents.length, 'submission'),
    ...concurrencyIn(history),
    ...runLength(rounds, figure),
    ...figure('breaking', brokenOf(entries), tested.length, 'submission'),
    ...figure('flakes', flakesOf(contents), tested.length, 'submission'),
    ...repeated(contents, figure),
    ...figure('lost runs', lostOf(rounds), rounds.length, 'run'),
    ...figure('cancelled runs', cancelledOf(rounds), rounds.length, 'run'),
    ...figure(
      'taken out',
      takenOut(events.map((event) => event.do)),
      contents.length,
      'submission',
    ),
    ...timeToMerge(contents, figure),
    ...figure(
      'targets',
      targetsIn(own),
      own.filter((each) => each.targets !== undefined).length,
      'pull request',
    ),
  ]
}

type Figure = (what: string, value: string, samples: number, of: string) => Measurement[]

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

const hasVerdict = ({ outcome }: Round): boolean => outcome === 'passed' || outcome === 'failed'

function runLength(rounds: readonly Round[], figure: Figure): Measurement[] {
  const lengths = rounds.filter(hasVerdict).map(lengthOf)
  if (lengths.length === 0) return []
  return figure('run length', spread(lengths), lengths.length, 'run')
}

function spread(minutes: readonly number[]): string {
  return `half below ${duration(percentile(minutes, 50))}, 95 % below ${duration(percentile(minutes, 95))}`
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
function repeated(contents: readonly Content[], figure: Figure): Measurement[] {
  const gaps = contents.flatMap(({ repeatedAfter }) => repeatedAfter)
  if (gaps.length === 0) return []
  const value = `half within ${duration(percentile(gaps, 50))}, 95 % within ${duration(percentile(gaps, 95))}`
  return figure('tested again', value, gaps.length, 'flake')
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

function timeToMerge(contents: readonly Content[], figure: Figure): Measurement[] {
  const isTold = ({ attempts, outcome }: Content): boolean =>
    outcome === 'merged' && attempts[0].kind !== 'landing' && attempts[0].kind !== 'approval'
  const minutes = contents
    .filter(isTold)
    .map(({ attempts }) => ((attempts.at(-1)?.endedAtMs ?? 0) - attempts[0].atMs) / 60_000)
  if (minutes.length === 0) return []
  return figure('until merged', spread(minutes), minutes.length, 'merge')
}

function targetsIn(entries: readonly PullRequestEntry[]): string {
  const names = entries.flatMap(({ targets }) => (typeof targets === 'object' ? targets : []))
  return `${count(new Set(names).size)}: the top-level folders that pull requests change`
}
