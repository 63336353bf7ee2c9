/**
 * The metrics of queues, made for each scrape.
 *
 * The values of the last hour are computed from the timelines at each scrape. So they are the same
 * after a restart, and cost nothing between scrapes.
 */

import {
  isTerminal,
  pullRequestTransitions,
  type Millis,
  type Reason,
  type TerminalState,
} from '../../engine/index.ts'
import { lastStepAt, stepsOf } from '../history/timeline.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { Counters } from './counters.ts'
import type { Definitions, Labels } from './definitions.ts'
import { queueTypes, samplesOf, type QueueType, type Sample } from './samples.ts'

const hourMs: Millis = 60 * 60_000
const secondMs: Millis = 1_000

const conclusions = ['merged', 'failed', 'cancelled'] as const
const outcomes = ['passed', 'failed', 'errored', 'timed_out', 'cancelled'] as const

/** Every terminal state with each of its reasons, from the transition table. */
const departures: readonly (readonly [TerminalState, Reason])[] = pullRequestTransitions.flatMap(
  ({ to, reasons }) =>
    isTerminal(to) ? reasons.flatMap((reason) => (reason ? [[to, reason] as const] : [])) : [],
)

export class Metrics {
  readonly #counters: Counters
  readonly #now: () => Millis
  readonly #aheadMs: () => Millis

  /** `aheadMs` returns by how much the clock is ahead of the system time. */
  constructor(registry: QueueRegistry, now: () => Millis, aheadMs: () => Millis = () => 0) {
    this.#counters = new Counters(registry)
    this.#now = now
    this.#aheadMs = aheadMs
  }

  /** A subscriber of the queue manager, which keeps the counters. */
  readonly onCommand = (applied: AppliedCommand): void => this.#counters.onCommand(applied)

  /** Returns the response text of a scrape of these queues. */
  readonly textOf = async (queues: readonly ManagedQueue[]): Promise<string> => {
    // Loaded by the first scrape, because not every server is scraped.
    const { definitions } = await import('./definitions.ts')
    const made = definitions()
    const since = this.#now() - hourMs
    made.clockAhead.set(this.#aheadMs() / secondMs)
    // All series are present, also at zero.
    for (const queue of queues) showZeros(made, labelsIn(queue))
    for (const queue of queues) {
      const labelsOf = labelsIn(queue)
      showNow(made, queue, labelsOf)
      for (const queueType of queueTypes) this.#showCounts(made, queue, labelsOf(queueType))
      for (const sample of samplesSince(queue, since)) {
        showSample(made, labelsOf(sample.queueType), sample)
      }
    }
    return made.registry.metrics()
  }

  #showCounts(made: Definitions, queue: ManagedQueue, labels: Labels): void {
    const counts = this.#counters.of(queue)
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
}

/** The host is a label, so repositories of the same name on two hosts stay apart. */
function labelsIn({ ref }: ManagedQueue): (queueType: QueueType) => Labels {
  const { host, owner, name, targetBranch: branch } = ref
  return (queueType) => ({ host, repo: `${owner}/${name}`, branch, queue_type: queueType })
}

function showZeros(made: Definitions, labelsOf: (queueType: QueueType) => Labels): void {
  for (const queueType of queueTypes) {
    const labels = labelsOf(queueType)
    for (const conclusion of conclusions) made.conclusions.inc({ ...labels, conclusion }, 0)
    made.restarts.inc(labels, 0)
    for (const histogram of [made.wait, made.test, made.timeInQueue]) histogram.zero(labels)
  }
}

function showNow(
  { depth, awaiting, slots }: Definitions,
  { engine }: ManagedQueue,
  labelsOf: (queueType: QueueType) => Labels,
): void {
  const { order, line, groups, bisections, slots: taken } = engine.queue
  const inLine = line.reduce((sum, id) => sum + (groups[id]?.members.length ?? 0), 0)
  const apart = bisections.reduce((sum, { open, proven }) => sum + open.length + proven.length, 0)
  depth.inc(labelsOf('main'), order.pending + inLine)
  depth.inc(labelsOf('bisection'), apart)
  awaiting.inc(labelsOf('main'), order.unready)
  awaiting.inc(labelsOf('bisection'), 0)
  slots.inc(labelsOf('main'), taken.main)
  slots.inc(labelsOf('bisection'), taken.bisection)
}

function* samplesSince({ history }: ManagedQueue, since: Millis): Generator<Sample> {
  for (const { timeline } of history.pullRequests.values()) {
    if (lastStepAt(timeline) <= since) continue
    for (const sample of samplesOf(stepsOf(timeline))) if (sample.at > since) yield sample
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
