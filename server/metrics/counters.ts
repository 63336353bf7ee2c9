/**
 * What is counted for ever, since the start of this process: scrapers know how to go on when a
 * counter begins again at zero.
 */

import { isTerminal, type Event, type Millis, type TestRunId } from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type { Happening } from '../yard/announcer.ts'
import { nameOfQueue } from '../yard/queue-ref.ts'
import type { Register } from '../yard/register.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { samplesOf, type QueueType } from './samples.ts'

/** Counts by what was counted, in the words that make its labels. */
export class Counts {
  readonly #counts = new Map<string, number>()

  add(...words: readonly string[]): void {
    const key = words.join(' ')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  of(...words: readonly string[]): number {
    return this.#counts.get(words.join(' ')) ?? 0
  }
}

export class Counters {
  readonly #register: Register
  /** They go with their queue. */
  readonly #counts = new WeakMap<YardQueue, Counts>()

  constructor(register: Register) {
    this.#register = register
  }

  of(queue: YardQueue): Counts {
    const known = this.#counts.get(queue)
    if (known) return known
    const counts = new Counts()
    this.#counts.set(queue, counts)
    return counts
  }

  hear({ queue: ref, at, events }: Happening): void {
    const queue = ref && events.length > 0 ? this.#queue(nameOfQueue(ref)) : undefined
    if (!queue) return
    for (const event of events) count(this.of(queue), queue, at, event)
  }

  /** A queue that stands still after a fault has nothing to count any more. */
  #queue(name: string): YardQueue | undefined {
    for (const queue of this.#register.queues) if (queue.name === name) return queue
    return undefined
  }
}

function count(counts: Counts, queue: YardQueue, at: Millis, event: Event): void {
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

function kindOf({ history }: YardQueue, run: TestRunId): QueueType {
  return history.testRuns.get(run)?.kind ?? 'main'
}

/** The history may be ahead of what is told: the conclusion of that instant is meant. */
function concludedIn({ history }: YardQueue, number: number, at: Millis): QueueType {
  const timeline = history.pullRequests.get(number)?.timeline ?? []
  const conclusion = [...samplesOf(stepsOf(timeline))].findLast(
    (sample) => sample.what === 'conclusion' && sample.at === at,
  )
  return conclusion?.queueType ?? 'main'
}
