/**
 * Counters of a queue since it was created. They are part of its history, so a restart resets nothing,
 * and every server that knows the same log counts the same.
 */

import {
  isTerminal,
  type Event,
  type Millis,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import { samplesOf, type QueueType } from './samples.ts'
import { stepsOf, type Timeline } from './timeline.ts'

/** Counts by metric and label values. */
export class Counts {
  readonly #counts: Map<string, number>

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(counts)
  }

  /** A copy that later counts do not change. */
  copy(): Counts {
    return new Counts(this.#counts)
  }

  entries(): readonly (readonly [string, number])[] {
    return [...this.#counts]
  }

  add(...labelNames: readonly string[]): void {
    const key = labelNames.join(' ')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  of(...labelNames: readonly string[]): number {
    return this.#counts.get(labelNames.join(' ')) ?? 0
  }
}

/** The parts of a history that the counters need. */
type Counted = {
  readonly counts: Counts
  readonly testRuns: ReadonlyMap<TestRunId, { readonly kind: TestRun['owner']['kind'] }>
  readonly pullRequests: ReadonlyMap<number, { readonly timeline: Timeline }>
}

/** Counts the events of a command that the history has taken note of. */
export function countEvents(history: Counted, at: Millis, events: readonly Event[]): void {
  for (const event of events) count(history, at, event)
}

function count(history: Counted, at: Millis, event: Event): void {
  const { counts } = history
  if (event.type === 'testRunFinished') {
    counts.add('test run', kindOf(history, event.testRun), event.outcome)
  } else if (event.type === 'testRunCancelled') {
    counts.add('test run', kindOf(history, event.testRun), 'cancelled')
  } else if (event.type === 'testRunSaved') {
    counts.add('saved', 'bisection')
  } else if (event.type === 'pullRequestMoved' && isTerminal(event.to) && event.reason) {
    const queueType = concludedIn(history, event.number, at)
    counts.add('pull request', queueType, event.to.toLowerCase(), event.reason)
  }
}

function kindOf({ testRuns }: Counted, run: TestRunId): QueueType {
  return testRuns.get(run)?.kind === 'bisection' ? 'bisection' : 'main'
}

/** The type of queue in which it was when it left. */
function concludedIn({ pullRequests }: Counted, number: number, at: Millis): QueueType {
  const timeline = pullRequests.get(number)?.timeline ?? []
  const conclusion = [...samplesOf(stepsOf(timeline))].findLast(
    (sample) => sample.what === 'conclusion' && sample.at === at,
  )
  return conclusion?.queueType ?? 'main'
}
