/**
 * Counters since the start of this process. Scrapers can handle counters that restart at zero.
 */

import { isTerminal, type Event, type Millis, type TestRunId } from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { samplesOf, type QueueType } from './samples.ts'

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

  add(...labelNames: readonly string[]): void {
    const key = labelNames.join(' ')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  of(...labelNames: readonly string[]): number {
    return this.#counts.get(labelNames.join(' ')) ?? 0
  }
}

export class Counters {
  readonly #registry: QueueRegistry
  /** Weak, so that the counts are dropped with their queue. */
  readonly #counts = new WeakMap<ManagedQueue, Counts>()

  constructor(registry: QueueRegistry) {
    this.#registry = registry
  }

  of(queue: ManagedQueue): Counts {
    const known = this.#counts.get(queue)
    if (known) return known
    const counts = new Counts()
    this.#counts.set(queue, counts)
    return counts
  }

  onCommand({ queue: ref, at, events }: AppliedCommand): void {
    const queue = ref && events.length > 0 ? this.#queue(nameOfQueue(ref)) : undefined
    if (!queue) return
    for (const event of events) count(this.of(queue), queue, at, event)
  }

  /** Unlike `registry.find`, does not throw for a queue that stopped after an internal error. */
  #queue(name: string): ManagedQueue | undefined {
    for (const queue of this.#registry.queues) if (queue.name === name) return queue
    return undefined
  }
}

function count(counts: Counts, queue: ManagedQueue, at: Millis, event: Event): void {
  if (event.type === 'testRunFinished') {
    counts.add('test run', kindOf(queue, event.testRun), event.outcome)
  } else if (event.type === 'testRunCancelled') {
    counts.add('test run', kindOf(queue, event.testRun), 'cancelled')
  } else if (event.type === 'testRunSaved') {
    counts.add('saved', 'bisection')
  } else if (event.type === 'pullRequestMoved' && isTerminal(event.to) && event.reason) {
    const queueType = concludedIn(queue, event.number, at)
    counts.add('pull request', queueType, event.to.toLowerCase(), event.reason)
  }
}

function kindOf({ history }: ManagedQueue, run: TestRunId): QueueType {
  return history.testRuns.get(run)?.kind ?? 'main'
}

/** The history may be ahead of the published command, so this takes the conclusion at `at`. */
function concludedIn({ history }: ManagedQueue, number: number, at: Millis): QueueType {
  const timeline = history.pullRequests.get(number)?.timeline ?? []
  const conclusion = [...samplesOf(stepsOf(timeline))].findLast(
    (sample) => sample.what === 'conclusion' && sample.at === at,
  )
  return conclusion?.queueType ?? 'main'
}
