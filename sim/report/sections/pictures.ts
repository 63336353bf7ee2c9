/** The charts of a run: depth, times, CI minutes, flakes, unproven merges, each with its numbers. */

import type { RunResult } from '../../result/write-result.ts'
import { toMinutes } from '../../scenario/time.ts'
import { count, duration, several, share } from '../../../server/terminal/text.ts'
import { barsChart, binsOf, histogramChart } from '../../html/bar-charts.ts'
import type { ChartBar, Bin } from '../../html/bar-charts.ts'
import { timeAxis } from '../../html/chart.ts'
import { card, cards, right } from '../../html/components.ts'
import type { Bar, IsShown } from '../../html/components.ts'
import type { Html } from '../../html/html.ts'
import type { Kept } from '../recording/minutes.ts'
import type { RunRecording } from '../recording/recording.ts'
import { arrivalsCard } from './arrivals.ts'
import { depthCard, type DepthInput } from './depth.ts'
import { batchesCard, conclusionsCard } from './endings.ts'

export async function pictures(input: DepthInput): Promise<Html> {
  const { scenario, result, recording } = input
  const shown = new Set(recording.stories.map(({ number }) => number))
  const isShown = (number: number): boolean => shown.has(number)
  const all = await Promise.all([
    depthCard(input),
    arrivalsCard(scenario, isShown),
    conclusionsCard(result, isShown),
    timesCard(result, isShown),
    batchesCard(recording, isShown),
    minutesCard(recording, isShown),
    flakesCard(recording, isShown),
    unprovenCard(result, recording, isShown),
  ])
  return cards(all.filter((each) => each !== null))
}

async function timesCard({ figures, lists }: RunResult, isShown: IsShown): Promise<Html> {
  const { p50, p95, max } = figures.timeInQueueMinutes
  const title = 'Time in queue'
  if (p50 === null || p95 === null) return card({ title, about: 'No pull request merged.' })
  const merged = lists.pullRequests.flatMap(({ number, state, submittedAt, concludedAt }) =>
    state === 'MERGED' && concludedAt !== null
      ? [{ number, minutes: concludedAt - submittedAt }]
      : [],
  )
  const bins = binsOf(
    merged.map(({ minutes }) => minutes),
    { from: 0 },
  )
  const rangeOf = ({ from, to }: Bin): string => `${duration(from)} to ${duration(to)}`
  const bars = bins.map((bin): Bar | null => {
    const numbers = bin.at.flatMap((at) => merged[at]?.number ?? [])
    const about = `${rangeOf(bin)}: ${several(numbers.length, 'pull request')}`
    return numbers.length === 0 ? null : { about, members: [{ what: '', numbers }] }
  })
  return card({
    title,
    about: `From submission to merge: median ${duration(p50)}, 95 % below ${duration(p95)}, maximum ${duration(max)}.`,
    body: await histogramChart({
      name: 'Merged pull requests by time in queue',
      bins,
      axis: timeAxis(bins.at(-1)?.to ?? 0, 6),
      marks: [
        { at: p50, label: `median ${duration(p50)}` },
        { at: p95, label: '95 %' },
      ],
      lists: bars,
    }),
    list: { bars, isShown },
    numbers: {
      head: ['time', right('merged')],
      rows: bins.flatMap((bin) =>
        bin.at.length === 0 ? [] : [[rangeOf(bin), count(bin.at.length)]],
      ),
    },
  })
}

async function minutesCard({ minutes }: RunRecording, isShown: IsShown): Promise<Html> {
  const title = 'Where the CI minutes went'
  const spent = [...minutes.spent.values()]
  const all = spent.reduce((sum, { ms }) => sum + ms, 0)
  if (all === 0) return card({ title, about: 'There were no test runs.' })
  const bars = spent.map(({ what, color, ms, runs, members }): ChartBar => {
    const text = `${duration(toMinutes(ms))}, ${share(ms, all)}`
    const about = `${what}: ${several(runs, 'run')}, ${text}`
    const bar = runs === 0 ? null : barOf(about, members)
    return { what, amount: toMinutes(ms), text, color, bar }
  })
  return card({
    title,
    about: `${duration(toMinutes(all))} in total; each run counts once.`,
    ...(await drawn('CI minutes by kind of test run', bars, isShown)),
    numbers: {
      head: ['kind of run', right('runs'), right('time'), ''],
      rows: spent.map(({ what, runs, ms, means }) => {
        return [what, count(runs), duration(toMinutes(ms)), means]
      }),
    },
  })
}

const flakesShown = 12

async function flakesCard({ flakes }: RunRecording, isShown: IsShown): Promise<Html> {
  const title = 'Flakes by test'
  const { flaky, recognised } = flakes
  if (flaky.length === 0) return card({ title, about: 'No run failed because of a flake.' })
  const nameOf = (test: string | null): string => test ?? '(no test named)'
  const bars = flaky.slice(0, flakesShown).map(({ test, failedRuns, members }): ChartBar => {
    const text = several(failedRuns, 'run')
    const bar = failedRuns === 0 ? null : barOf(`${nameOf(test)}: ${text} failed`, members)
    return { what: nameOf(test), amount: failedRuns, text, color: 'held', bar }
  })
  return card({
    title,
    about: `Runs that failed only because of a flake. The queue itself recognised ${several(recognised, 'such failure')}, because another run passed.`,
    ...(await drawn('Runs that failed because of flakes, by test', bars, isShown)),
    numbers: {
      head: ['test', right('failed runs'), right('CI time'), right('passed on retry')],
      rows: flaky.map(({ test, failedRuns, ms, retried }) => [
        nameOf(test),
        count(failedRuns),
        duration(toMinutes(ms)),
        count(retried),
      ]),
    },
  })
}

const unprovenCauses = [
  { cause: 'batchMiddle', what: 'inside a batch', means: 'its batch passed as a whole' },
  { cause: 'optimistic', what: 'optimistic', means: 'the run of a successor passed' },
  { cause: 'disjointTargets', what: 'disjoint targets', means: 'other lanes merged in between' },
  { cause: 'direct', what: 'direct', means: 'merged without a run' },
] as const

async function unprovenCard(
  { figures }: RunResult,
  { unproven }: RunRecording,
  isShown: IsShown,
): Promise<Html> {
  const { merged, unprovenMerges } = figures.totals
  const causes = unprovenCauses.map((each) => ({
    ...each,
    merges: unprovenMerges[each.cause],
    members: unproven[each.cause],
  }))
  const all = causes.reduce((sum, { merges }) => sum + merges, 0)
  const title = 'Unproven merges'
  if (all === 0) {
    const about = 'For each merged commit, a run had passed on exactly its tree.'
    return card({ title, about: merged === 0 ? 'No pull request merged.' : about })
  }
  const bars = causes.map(({ what, merges, members }): ChartBar => {
    const text = `${count(merges)}, ${share(merges, merged)}`
    const bar = merges === 0 ? null : barOf(`${what}: ${text}`, members)
    return { what, amount: merges, text, color: 'series-7', bar }
  })
  return card({
    title,
    about: `${count(all)} of ${several(merged, 'commit')}: no run had passed on exactly the tree that merged.`,
    ...(await drawn('Merged commits whose exact tree no run had passed, by cause', bars, isShown)),
    numbers: {
      head: ['cause', right('commits'), ''],
      rows: causes.map(({ what, merges, means }) => [what, count(merges), means]),
    },
  })
}

/** Returns what the page lists of a bar that counts runs or commits. */
function barOf(about: string, { numbers, hasMore }: Kept): Bar {
  return { about, members: [{ what: '', numbers }], hasMore }
}

/** The chart of a card, and what it lists of each bar. */
async function drawn(name: string, bars: readonly ChartBar[], isShown: IsShown) {
  const list = { bars: bars.map(({ bar }) => bar), isShown }
  return { body: await barsChart(name, bars), list }
}
