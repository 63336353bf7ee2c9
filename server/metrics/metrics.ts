/**
 * The metrics of queues, as a scrape finds them.
 *
 * The sliding hour is not kept but looked up in the timelines at each scrape: so it is the same
 * after a restart, and costs nothing in between.
 */

import {
  isTerminal,
  pullRequestTransitions,
  type Millis,
  type Reason,
  type TerminalState,
} from '../../engine/index.ts'
import { lastStepAt, stepsOf } from '../history/timeline.ts'
import type { Happening } from '../yard/announcer.ts'
import type { Register } from '../yard/register.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { Counters } from './counters.ts'
import type { Definitions, Labels } from './definitions.ts'
import { queueTypes, samplesOf, type QueueType, type Sample } from './samples.ts'

const hourMs: Millis = 60 * 60_000
const secondMs: Millis = 1_000

const conclusions = ['merged', 'failed', 'cancelled'] as const
const outcomes = ['passed', 'failed', 'errored', 'timed_out', 'cancelled'] as const

/** Every way to leave, as the transition table has it. */
const departures: readonly (readonly [TerminalState, Reason])[] = pullRequestTransitions.flatMap(
  ({ to, reasons }) =>
    isTerminal(to) ? reasons.flatMap((reason) => (reason ? [[to, reason] as const] : [])) : [],
)

export class Metrics {
  readonly #counters: Counters
  readonly #now: () => Millis

  constructor(register: Register, now: () => Millis) {
    this.#counters = new Counters(register)
    this.#now = now
  }

  /** For the event stream: what is counted is counted as it happens. */
  readonly hear = (happening: Happening): void => this.#counters.hear(happening)

  /** The text that a scrape of these queues is answered with. */
  readonly textOf = async (queues: readonly YardQueue[]): Promise<string> => {
    // Not every server is scraped: what a scrape needs is loaded by the first.
    const { definitions } = await import('./definitions.ts')
    const made = definitions()
    const since = this.#now() - hourMs
    // Every series is there, at zero, before anything is put into one.
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

  #showCounts(made: Definitions, queue: YardQueue, labels: Labels): void {
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

/** Two hosts may each have a repository of that name; then the figures of both add up. */
function labelsIn({ ref }: YardQueue): (queueType: QueueType) => Labels {
  const { owner, name, targetBranch: branch } = ref
  return (queueType) => ({ repo: `${owner}/${name}`, branch, queue_type: queueType })
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
  { engine }: YardQueue,
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

function* samplesSince({ history }: YardQueue, since: Millis): Generator<Sample> {
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
