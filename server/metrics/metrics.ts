/**
 * The metrics of queues, made for each scrape in the text format of Prometheus.
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
import type { Counts } from '../history/counts.ts'
import { type QueueType, type Sample, queueTypes, samplesOf } from '../history/samples.ts'
import { type Timeline, type TimelineStep, lastStepAt, stepsOf } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

const hourMs: Millis = 60 * 60_000
const secondMs: Millis = 1_000

const pullRequestsPerSlice = 500

const conclusions = ['MERGED', 'FAILED', 'CANCELLED'] as const satisfies readonly TerminalState[]
const outcomes = ['passed', 'failed', 'errored', 'timed_out', 'cancelled'] as const
const buckets = [60, 300, 600, 900, 1800, 3600, 5400, 7200, Infinity]

/** Every terminal state with each of its reasons, from the transition table. */
const departures: readonly (readonly [TerminalState, Reason])[] = pullRequestTransitions.flatMap(
  ({ to, reasons }) =>
    isTerminal(to) ? reasons.flatMap((reason) => (reason ? [[to, reason] as const] : [])) : [],
)

/** Type and meaning of each metric, in the order of the text. */
const metrics = {
  mq_depth_current: ['gauge', 'Pull requests in the queue, except those in NOT_READY'],
  mq_awaiting_mergeability: ['gauge', 'Pull requests in NOT_READY'],
  mq_testing_slots_active: [
    'gauge',
    'Slots in use: one for each test run in progress; the limit is concurrency for main, bisectionConcurrency for bisection',
  ],
  mq_pr_conclusions_1h_total: ['gauge', 'Pull requests that left the queue in the last hour'],
  mq_pr_restarts_1h_total: ['gauge', 'Moves from TESTING back to PENDING in the last hour'],
  mq_pr_wait_duration_1h_seconds: [
    'histogram',
    'Time from submission, or from the failure of the batch, to the first test run, for first runs of the last hour',
  ],
  mq_pr_test_duration_1h_seconds: [
    'histogram',
    'Time in TESTING without interruption, for times that ended in the last hour',
  ],
  mq_pr_time_in_queue_1h_seconds: [
    'histogram',
    'Time from submission to merge, for merges of the last hour',
  ],
  mq_test_runs_total: ['counter', 'Test runs that have ended'],
  mq_test_runs_saved_total: ['counter', 'Test runs that a known verdict made unnecessary'],
  mq_merged_by_quarantine_total: [
    'counter',
    'Pull requests that merged by a run in which only tests in quarantine failed',
  ],
  mq_pull_requests_total: ['counter', 'Pull requests that left the queue, by reason'],
} as const

type Name = keyof typeof metrics
type Labels = Readonly<Record<string, string>>

/** The lines of all metrics: those of one metric follow each other, whatever was added between them. */
class MetricsText {
  readonly #lines = new Map<string, string[]>(
    Object.entries(metrics).map(([name, [type, help]]) => [
      name,
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`],
    ]),
  )

  add(name: Name, labels: Labels, value: number, suffix = ''): void {
    const written = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    this.#lines.get(name)?.push(`${name}${suffix}{${written.join(',')}} ${value}`)
  }

  addHistogram(name: Name, labels: Labels, values: readonly number[]): void {
    for (const most of buckets) {
      const le = most === Infinity ? '+Inf' : String(most)
      const count = values.filter((value) => value <= most).length
      this.add(name, { le, ...labels }, count, '_bucket')
    }
    const sum = values.reduce((all, value) => all + value, 0)
    this.add(name, labels, sum, '_sum')
    this.add(name, labels, values.length, '_count')
  }

  toString(): string {
    return `${[...this.#lines.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`
  }
}

const escaped = (text: string): string =>
  text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)

/** Returns the response text of a scrape of these queues, as they are at the call. */
export async function metricsOf(queues: readonly ManagedQueue[], now: Millis): Promise<string> {
  const since = now - hourMs
  const moments = queues.map((queue) => momentOf(queue, since))
  const text = new MetricsText()
  await inSlices(show(text, moments, since))
  return text.toString()
}

/** Shows queues; yields at the end of each slice. All series are present, also at zero. */
function* show(
  text: MetricsText,
  moments: readonly Moment[],
  since: Millis,
): Generator<undefined, void> {
  let read = 0
  for (const moment of moments) {
    const samples: Record<QueueType, Sample[]> = { main: [], bisection: [] }
    for (const steps of recentSteps(moment)) {
      const recent = [...samplesOf(steps)].filter(({ at }) => at > since)
      for (const sample of recent) samples[sample.queueType].push(sample)
      if (++read % pullRequestsPerSlice === 0) yield
    }
    for (const queueType of queueTypes) showQueue(text, moment, queueType, samples[queueType])
    yield
  }
}

/** The host is a label, so repositories of the same name on two hosts stay apart. */
function showQueue(
  text: MetricsText,
  { queue: { ref }, figures, counts, byQuarantine }: Moment,
  queueType: QueueType,
  samples: readonly Sample[],
): void {
  const { host, owner, name, targetBranch: branch } = ref
  const labels = { host, repo: `${owner}/${name}`, branch, queue_type: queueType }
  const { depth, awaiting, slots } = figures[queueType]
  text.add('mq_depth_current', labels, depth)
  text.add('mq_awaiting_mergeability', labels, awaiting)
  text.add('mq_testing_slots_active', labels, slots)
  for (const state of conclusions) {
    const left = samples.filter((each) => each.what === 'conclusion' && each.conclusion === state)
    const conclusion = state.toLowerCase()
    text.add('mq_pr_conclusions_1h_total', { ...labels, conclusion }, left.length)
  }
  const restarts = samples.filter(({ what }) => what === 'restart')
  text.add('mq_pr_restarts_1h_total', labels, restarts.length)
  const secondsOf = (what: 'wait' | 'test' | 'time in queue'): number[] =>
    samples.flatMap((each) => (each.what === what ? each.ms / secondMs : []))
  text.addHistogram('mq_pr_wait_duration_1h_seconds', labels, secondsOf('wait'))
  text.addHistogram('mq_pr_test_duration_1h_seconds', labels, secondsOf('test'))
  text.addHistogram('mq_pr_time_in_queue_1h_seconds', labels, secondsOf('time in queue'))
  for (const outcome of outcomes) {
    const runs = counts.of('test run', queueType, outcome)
    text.add('mq_test_runs_total', { ...labels, outcome }, runs)
  }
  text.add('mq_test_runs_saved_total', labels, counts.of('saved', queueType))
  if (queueType === 'main') text.add('mq_merged_by_quarantine_total', labels, byQuarantine)
  for (const [state, reason] of departures) {
    const conclusion = state.toLowerCase()
    const left = counts.of('pull request', queueType, conclusion, reason)
    text.add('mq_pull_requests_total', { ...labels, conclusion, reason }, left)
  }
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
