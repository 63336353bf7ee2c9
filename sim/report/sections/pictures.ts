/** The charts of a run: depth, times, CI minutes, flakes, unproven merges, each with its numbers. */

import { count, duration, several, share } from '../../terminal/text.ts'
import type { RunResult } from '../../result/write-result.ts'
import { toMinutes } from '../../scenario/time.ts'
import { barsChart, type ChartBar } from '../charts/bars.ts'
import { depthChart, phaseStyles, thinned } from '../charts/depth-chart.ts'
import { binRows, binsOf, spreadChart } from '../charts/spread.ts'
import { html, type Html } from '../page/html.ts'
import { card, cards, key, table } from '../page/pieces.ts'
import { depthOf } from '../recording/depth.ts'
import { spendings, type Spending } from '../recording/minutes.ts'
import { phases } from '../recording/phase.ts'
import type { RunRecording } from '../recording/recording.ts'
import { batchesCard, conclusionsCard } from './endings.ts'

export async function pictures(result: RunResult, recording: RunRecording): Promise<Html> {
  const all = await Promise.all([
    depthCard(result, recording),
    conclusionsCard(result),
    timesCard(result),
    batchesCard(recording),
    minutesCard(recording),
    flakesCard(recording),
    unprovenCard(result),
  ])
  return cards(all.filter((each) => each !== null))
}

async function depthCard(
  { figures, properties }: RunResult,
  { depth }: RunRecording,
): Promise<Html> {
  const untilMinutes = figures.endedAtMinutes
  const samples = thinned(depth.samples, untilMinutes * 60_000)
  const violations = properties.flatMap((each) => each.violations.map((one) => one.atMinutes))
  const used = phases.filter((phase) => samples.some(({ counts }) => counts[phase] > 0))
  const { deepest } = depth
  return card({
    title: 'Depth of the queue',
    about: deepest
      ? `Maximum: ${several(deepest.depth, 'pull request')}, first reached after ${duration(toMinutes(deepest.at))}.${violations.length > 0 ? ' Lines mark violations.' : ''}`
      : 'The queue was always empty.',
    isWide: true,
    body: html`${key(used.map((phase) => phaseStyles[phase]))}
    ${await depthChart({ samples, untilMinutes, violations })}`,
    numbers: table(
      [
        { title: 'time' },
        ...used.map((phase) => ({ title: phaseStyles[phase].means, leans: 'right' as const })),
        { title: 'total', leans: 'right' },
      ],
      everyNth(samples, 24).map(({ at, counts }) => [
        duration(toMinutes(at)),
        ...used.map((phase) => count(counts[phase])),
        count(depthOf(counts)),
      ]),
      { name: 'Depth of the queue' },
    ),
  })
}

async function timesCard({ figures, lists }: RunResult): Promise<Html> {
  const { p50, p95, max } = figures.timeInQueueMinutes
  const title = 'Time in queue'
  if (p50 === null || p95 === null)
    return card({ title, about: 'No pull request merged.', body: null })
  const times: number[] = []
  for (const { state, submittedAt, concludedAt } of lists.pullRequests.results()) {
    if (state === 'MERGED' && concludedAt !== null) times.push(concludedAt - submittedAt)
  }
  const bins = binsOf(times)
  const marks = [
    { minutes: p50, label: `median ${duration(p50)}` },
    { minutes: p95, label: `95 %` },
  ]
  return card({
    title,
    about: `From submission to merge: median ${duration(p50)}, 95 % below ${duration(p95)}, maximum ${duration(max)}.`,
    body: await spreadChart('Merged pull requests by time in queue', bins, marks),
    numbers: table([{ title: 'time' }, { title: 'merged', leans: 'right' }], binRows(bins), {
      name: 'Time in queue',
    }),
  })
}

const spendingStyles: Readonly<Record<Spending, { color: string; means: string }>> = {
  'first runs': {
    color: 'testing',
    means: 'passed or rightly failed; no pull request in it was tested before',
  },
  retests: {
    color: 'series-6',
    means: 'passed or rightly failed; a pull request in it was tested before',
  },
  bisection: { color: 'bisecting', means: 'to find the culprits in a failed batch' },
  flakes: { color: 'held', means: 'failed only because of a flake' },
  cancelled: { color: 'cancelled', means: 'cancelled before they finished' },
  'lost or timed out': { color: 'failed', means: 'lost by the runner, or timed out' },
}

async function minutesCard({ minutes }: RunRecording): Promise<Html> {
  const title = 'Where the CI minutes went'
  const spent = spendings.map((what) => ({ what, ...minutes.of(what) }))
  const all = spent.reduce((sum, { ms }) => sum + ms, 0)
  if (all === 0) return card({ title, about: 'There were no test runs.', body: null })
  const bars = spent.map(({ what, ms }): ChartBar => {
    const text = `${duration(toMinutes(ms))}, ${share(ms, all)}`
    return { what, amount: toMinutes(ms), text, color: spendingStyles[what].color }
  })
  return card({
    title,
    about: `${duration(toMinutes(all))} in total; each run counts once.`,
    body: await barsChart('CI minutes by kind of test run', bars),
    numbers: table(
      [
        { title: 'kind of run' },
        { title: 'runs', leans: 'right' },
        { title: 'time', leans: 'right' },
        { title: '' },
      ],
      spent.map(({ what, runs, ms }) => [
        what,
        count(runs),
        duration(toMinutes(ms)),
        spendingStyles[what].means,
      ]),
      { name: title },
    ),
  })
}

const flakesShown = 12

async function flakesCard({ flakes }: RunRecording): Promise<Html> {
  const title = 'Flakes by test'
  const { flaky, recognised } = flakes
  if (flaky.length === 0)
    return card({ title, about: 'No run failed because of a flake.', body: null })
  const nameOf = (test: string | null): string => test ?? '(no test named)'
  const bars = flaky.slice(0, flakesShown).map(({ test, failedRuns }): ChartBar => {
    const text = several(failedRuns, 'run')
    return { what: nameOf(test), amount: failedRuns, text, color: 'held' }
  })
  return card({
    title,
    about: `Runs that failed only because of a flake. The queue itself recognised ${several(recognised, 'such failure')}, because another run passed.`,
    body: await barsChart('Runs that failed because of flakes, by test', bars),
    numbers: table(
      [
        { title: 'test' },
        { title: 'failed runs', leans: 'right' },
        { title: 'CI time', leans: 'right' },
        { title: 'passed on retry', leans: 'right' },
      ],
      flaky.map(({ test, failedRuns, ms, retried }) => [
        nameOf(test),
        count(failedRuns),
        duration(toMinutes(ms)),
        count(retried),
      ]),
      { name: title },
    ),
  })
}

async function unprovenCard({ figures }: RunResult): Promise<Html> {
  const { batchMiddle, optimistic, disjointTargets, direct } = figures.totals.unprovenMerges
  const { merged } = figures.totals
  const causes = [
    { what: 'inside a batch', merges: batchMiddle, means: 'its batch passed as a whole' },
    { what: 'optimistic', merges: optimistic, means: 'the run of a successor passed' },
    { what: 'disjoint targets', merges: disjointTargets, means: 'other lanes merged in between' },
    { what: 'direct', merges: direct, means: 'merged without a run' },
  ]
  const all = causes.reduce((sum, { merges }) => sum + merges, 0)
  const title = 'Unproven merges'
  if (all === 0) {
    const about = 'For each merged commit, a run had passed on exactly its tree.'
    return card({ title, about: merged === 0 ? 'No pull request merged.' : about, body: null })
  }
  const bars = causes.map(({ what, merges }): ChartBar => {
    const text = `${count(merges)}, ${share(merges, merged)}`
    return { what, amount: merges, text, color: 'series-7' }
  })
  return card({
    title,
    about: `${count(all)} of ${several(merged, 'commit')}: no run had passed on exactly the tree that merged.`,
    body: await barsChart('Merged commits whose exact tree no run had passed, by cause', bars),
    numbers: table(
      [{ title: 'cause' }, { title: 'commits', leans: 'right' }, { title: '' }],
      causes.map(({ what, merges, means }) => [what, count(merges), means]),
      { name: title },
    ),
  })
}

/** Returns at most `most` of the items, evenly spread. */
function everyNth<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, Math.ceil(items.length / most))
  return items.filter((_, index) => index % step === 0)
}
