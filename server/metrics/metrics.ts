/**
 * The metrics of queues, made for each scrape.
 *
 * The values of the last hour are computed from the timelines at each scrape, and the counters are part of
 * the history. So all are the same after a restart, and cost nothing between scrapes. A scrape takes several turns of the event loop
 * and shows the instant at which it began.
 */

import {
  type Millis,
  type Reason,
  type TerminalState,
  isTerminal,
  pullRequestTransitions,
} from '../../engine/index.ts'
import { inSlices } from '../files/turns.ts'
import {
  type Counts,
  type QueueType,
  type Sample,
  queueTypes,
  samplesOf,
} from '../history/counts.ts'
import { type Timeline, type TimelineStep, lastStepAt, stepsOf } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Definitions } from './definitions.ts'

const hourMs: Millis = 60 * 60_000
const secondMs: Millis = 1_000

const pullRequestsPerSlice = 500
const queuesPerSlice = 20

const conclusions = ['merged', 'failed', 'cancelled'] as const
const outcomes = ['passed', 'failed', 'errored', 'timed_out', 'cancelled'] as const

/** Every terminal state with each of its reasons, from the transition table. */
const departures: readonly (readonly [TerminalState, Reason])[] = pullRequestTransitions.flatMap(
  ({ to, reasons }) =>
    isTerminal(to) ? reasons.flatMap((reason) => (reason ? [[to, reason] as const] : [])) : [],
)

/** Returns the response text of a scrape of these queues, as they are at the call. */
export async function metricsOf(queues: readonly ManagedQueue[], now: Millis): Promise<string> {
  const since = now - hourMs
  const moments = queues.map((queue) => momentOf(queue, since))
  // Loaded by the first scrape, because not every server is scraped.
  const { definitions } = await import('./definitions.ts')
  const texts: string[] = []
  for (let from = 0; from === 0 || from < moments.length; from += queuesPerSlice) {
    const made = definitions()
    await inSlices(show(made, moments.slice(from, from + queuesPerSlice), since))
    texts.push(await made.registry.metrics())
  }
  return joinedTexts(texts)
}

/** The host is a label, so repositories of the same name on two hosts stay apart (A-66). */
export const labelsOf = ({ ref: { host, owner, name, targetBranch: branch } }: ManagedQueue) => ({
  host,
  repo: `${owner}/${name}`,
  branch,
})

type Labels = ReturnType<typeof labelsOf> & { readonly queue_type: QueueType }

function showZeros(made: Definitions, labels: Labels): void {
  for (const conclusion of conclusions) made.conclusions.inc({ ...labels, conclusion }, 0)
  made.restarts.inc(labels, 0)
  for (const histogram of [made.wait, made.test, made.timeInQueue]) histogram.zero(labels)
}

/** Shows queues; yields at the end of each slice. All series are present, also at zero. */
function* show(
  made: Definitions,
  moments: readonly Moment[],
  since: Millis,
): Generator<undefined, void> {
  let shown = 0
  for (const moment of moments) {
    const ofQueue = labelsOf(moment.queue)
    const labelsIn = (queueType: QueueType): Labels => ({ ...ofQueue, queue_type: queueType })
    for (const queueType of queueTypes) {
      const labels = labelsIn(queueType)
      showZeros(made, labels)
      showNow(made, moment.figures[queueType], labels)
      showCounts(made, moment.counts, labels)
    }
    made.byQuarantine.inc(labelsIn('main'), moment.byQuarantine)
    for (const steps of recentSteps(moment)) {
      const samples = [...samplesOf(steps)].filter(({ at }) => at > since)
      for (const sample of samples) showSample(made, labelsIn(sample.queueType), sample)
      if (++shown % pullRequestsPerSlice === 0) yield
    }
  }
}

function showNow(made: Definitions, { depth, awaiting, slots }: Figures, labels: Labels): void {
  made.depth.inc(labels, depth)
  made.awaiting.inc(labels, awaiting)
  made.slots.inc(labels, slots)
}

function showCounts(made: Definitions, counts: Counts, labels: Labels): void {
  const { queue_type: queueType } = labels
  for (const outcome of outcomes) {
    made.testRuns.inc({ ...labels, outcome }, counts.of('test run', queueType, outcome))
  }
  made.saved.inc(labels, counts.of('saved', queueType))
  for (const [state, reason] of departures) {
    const conclusion = state.toLowerCase()
    const count = counts.of('pull request', queueType, conclusion, reason)
    made.pullRequests.inc({ ...labels, conclusion, reason }, count)
  }
}

function showSample(made: Definitions, labels: Labels, sample: Sample): void {
  if (sample.what === 'restart') made.restarts.inc(labels)
  else if (sample.what === 'conclusion') {
    made.conclusions.inc({ ...labels, conclusion: sample.conclusion.toLowerCase() })
  } else {
    const histograms = { wait: made.wait, test: made.test, 'time in queue': made.timeInQueue }
    histograms[sample.what].observe(labels, sample.ms / secondMs)
  }
}

const header = '# HELP '

/**
 * Joins texts in the Prometheus format that have the same metrics of different queues: in the result all
 * series of a metric follow its header.
 */
function joinedTexts(texts: readonly string[]): string {
  const [first = ''] = texts
  if (texts.length <= 1) return first
  const byMetric = texts.map((text) => text.split(`\n\n${header}`))
  const metrics = (byMetric[0] ?? []).map((metric, index) => {
    const others = byMetric.slice(1).map((each) => seriesIn(each[index] ?? ''))
    return [metric.trimEnd(), ...others].join('\n')
  })
  return `${metrics.join(`\n\n${header}`)}\n`
}

/** The lines of a metric without its header of two lines. */
function seriesIn(metric: string): string {
  return metric.trimEnd().split('\n').slice(2).join('\n')
}

type Figures = { readonly depth: number; readonly awaiting: number; readonly slots: number }

/** What a scrape shows of a queue at one instant, kept while commands go on. */
type Moment = {
  readonly queue: ManagedQueue
  readonly figures: Readonly<Record<QueueType, Figures>>
  readonly counts: Counts
  /** The timelines with a step since then, and the length of each at the instant. */
  readonly byQuarantine: number
  readonly timelines: readonly Timeline[]
  readonly lengths: readonly number[]
}

function momentOf(queue: ManagedQueue, since: Millis): Moment {
  const timelines: Timeline[] = []
  const lengths: number[] = []
  for (const { timeline } of queue.history.pullRequests.values()) {
    if (lastStepAt(timeline) <= since) continue
    timelines.push(timeline)
    lengths.push(timeline.length)
  }
  return {
    queue,
    figures: figuresOf(queue),
    counts: queue.history.counts.copy(),
    byQuarantine: queue.engine.queue.quarantine?.merges ?? 0,
    timelines,
    lengths,
  }
}

/** The steps of each timeline. A timeline only grows, so its first steps are those of the instant. */
function* recentSteps({ timelines, lengths }: Moment): Generator<readonly TimelineStep[]> {
  for (const [index, timeline] of timelines.entries()) {
    yield stepsOf(timeline.slice(0, lengths[index]))
  }
}

function figuresOf({ engine }: ManagedQueue): Moment['figures'] {
  const { order, line, groups, bisections, slots } = engine.queue
  const inLine = line.reduce((sum, id) => sum + (groups[id]?.members.length ?? 0), 0)
  const apart = bisections.reduce((sum, { open, proven }) => sum + open.length + proven.length, 0)
  return {
    main: { depth: order.pending + inLine, awaiting: order.unready, slots: slots.main },
    bisection: { depth: apart, awaiting: 0, slots: slots.bisection },
  }
}
