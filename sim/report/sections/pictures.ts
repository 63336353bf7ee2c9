/** The charts: depth, times, minutes, flakes, unproven merges, each with its numbers. */

import { count, duration, several, share } from '../../command-line/text.ts'
import type { RunResult } from '../../result/write-result.ts'
import { toMinutes } from '../../time.ts'
import { barsChart, type Bar } from '../charts/bars.ts'
import { depthChart, phaseLooks, thinned } from '../charts/depth-chart.ts'
import { binRows, binsOf, spreadChart } from '../charts/spread.ts'
import { html, type Html } from '../html.ts'
import { card, cards, key, table } from '../pieces.ts'
import { depthOf } from '../recording/depth.ts'
import { spendings, type Spending } from '../recording/minutes.ts'
import { phases } from '../recording/phase.ts'
import type { Recording } from '../recording/recording.ts'

export async function pictures(result: RunResult, recording: Recording): Promise<Html> {
  return cards(
    await Promise.all([
      depthCard(result, recording),
      timesCard(result),
      minutesCard(recording),
      flakesCard(recording),
      unprovenCard(result),
    ]),
  )
}

async function depthCard({ figures, properties }: RunResult, { depth }: Recording): Promise<Html> {
  const untilMinutes = figures.endedAtMinutes
  const samples = thinned(depth.samples, untilMinutes * 60_000)
  const violations = properties.flatMap((each) => each.violations.map((one) => one.atMinutes))
  const used = phases.filter((phase) => samples.some(({ counts }) => counts[phase] > 0))
  const { deepest } = depth
  return card({
    title: 'Depth of the queue',
    about: deepest
      ? `${several(deepest.depth, 'pull request')} at most, first after ${duration(toMinutes(deepest.at))}.${violations.length > 0 ? ' A line where something broke.' : ''}`
      : 'Nobody ever was in it.',
    isWide: true,
    body: html`${key(used.map((phase) => phaseLooks[phase]))}
    ${await depthChart({ samples, untilMinutes, violations })}`,
    numbers: table(
      [
        { title: 'after' },
        ...used.map((phase) => ({ title: phaseLooks[phase].means, leans: 'right' as const })),
        { title: 'in all', leans: 'right' },
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
  if (p50 === null || p95 === null) return card({ title, about: 'Nobody merged.', body: null })
  const times: number[] = []
  for (const { state, submittedAt, concludedAt } of lists.pullRequests.results()) {
    if (state === 'MERGED' && concludedAt !== null) times.push(concludedAt - submittedAt)
  }
  const bins = binsOf(times)
  const marks = [
    { minutes: p50, label: `half below ${duration(p50)}` },
    { minutes: p95, label: `95 %` },
  ]
  return card({
    title,
    about: `From submission to merge: half below ${duration(p50)}, 95 % below ${duration(p95)}, at most ${duration(max)}.`,
    body: await spreadChart('How many pull requests took how long to merge', bins, marks),
    numbers: table([{ title: 'time' }, { title: 'merged', leans: 'right' }], binRows(bins), {
      name: 'Time in queue',
    }),
  })
}

const spendingLooks: Readonly<Record<Spending, { color: string; means: string }>> = {
  'first runs': {
    color: 'testing',
    means: 'passed or failed with reason, nobody in it tested before',
  },
  retests: { color: 'series-6', means: 'the same for somebody who had been tested before' },
  bisection: { color: 'bisecting', means: 'to find who broke a batch' },
  flakes: { color: 'held', means: 'failed for no reason' },
  cancelled: { color: 'cancelled', means: 'ended before they were done' },
  'lost or too long': { color: 'failed', means: 'lost by the runner, or timed out' },
}

async function minutesCard({ minutes }: Recording): Promise<Html> {
  const title = 'Where the CI minutes went'
  const spent = spendings.map((what) => ({ what, ...minutes.of(what) }))
  const all = spent.reduce((sum, { ms }) => sum + ms, 0)
  if (all === 0) return card({ title, about: 'There were no test runs.', body: null })
  const bars = spent.map(({ what, ms }): Bar => {
    const text = `${duration(toMinutes(ms))}, ${share(ms, all)}`
    return { what, amount: toMinutes(ms), text, color: spendingLooks[what].color }
  })
  return card({
    title,
    about: `${duration(toMinutes(all))} in all; each run counts once.`,
    body: await barsChart('Minutes of test runs, by what they came to', bars),
    numbers: table(
      [
        { title: 'runs that were' },
        { title: 'how many', leans: 'right' },
        { title: 'time', leans: 'right' },
        { title: '' },
      ],
      spent.map(({ what, runs, ms }) => [
        what,
        count(runs),
        duration(toMinutes(ms)),
        spendingLooks[what].means,
      ]),
      { name: title },
    ),
  })
}

const flakesShown = 12

async function flakesCard({ flakes }: Recording): Promise<Html> {
  const title = 'Flakes by test'
  const { flaky, recognised } = flakes
  if (flaky.length === 0) return card({ title, about: 'No run failed for no reason.', body: null })
  const nameOf = (test: string | null): string => test ?? '(no test named)'
  const bars = flaky.slice(0, flakesShown).map(({ test, failedRuns }): Bar => {
    const text = several(failedRuns, 'run')
    return { what: nameOf(test), amount: failedRuns, text, color: 'held' }
  })
  return card({
    title,
    about: `Runs that failed only for a flake. The queue itself found out ${several(recognised, 'such failure')}, by another run that passed.`,
    body: await barsChart('Runs failed by flakes, by test', bars),
    numbers: table(
      [
        { title: 'test' },
        { title: 'runs failed', leans: 'right' },
        { title: 'their time', leans: 'right' },
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
    { what: 'in mid-batch', merges: batchMiddle, means: 'its batch passed as a whole' },
    { what: 'optimistic', merges: optimistic, means: 'a run on top of it passed' },
    { what: 'disjoint targets', merges: disjointTargets, means: 'others merged in between' },
    { what: 'direct', merges: direct, means: 'merged without a run' },
  ]
  const all = causes.reduce((sum, { merges }) => sum + merges, 0)
  const title = 'Merged unproven'
  if (all === 0) {
    const about = 'No run is missing: each commit that merged had passed exactly as it merged.'
    return card({ title, about: merged === 0 ? 'Nobody merged.' : about, body: null })
  }
  const bars = causes.map(({ what, merges }): Bar => {
    const text = `${count(merges)}, ${share(merges, merged)}`
    return { what, amount: merges, text, color: 'series-7' }
  })
  return card({
    title,
    about: `${count(all)} of ${several(merged, 'commit')}: no run had passed exactly the tree that merged.`,
    body: await barsChart('Commits merged without a run of their very tree, by cause', bars),
    numbers: table(
      [{ title: 'cause' }, { title: 'commits', leans: 'right' }, { title: '' }],
      causes.map(({ what, merges, means }) => [what, count(merges), means]),
      { name: title },
    ),
  })
}

/** About `most` of them, evenly spread. */
function everyNth<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, Math.ceil(items.length / most))
  return items.filter((_, index) => index % step === 0)
}
