/** How long recent test runs took, read from the timelines of those that left and noted from then on. */

import type { Event, TestRunId } from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

/** So many runs show what is usual now. */
const mostLengths = 50
const fewestLengths = 3
const msPerMinute = 60_000

export class RunLengths {
  readonly #lengths: number[]

  constructor(queue: ManagedQueue) {
    this.#lengths = knownLengths(queue)
  }

  /** Notes the runs that ended by themselves at this instant. */
  follow({ history }: ManagedQueue, at: number, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== 'testRunFinished' || event.outcome === 'errored') continue
      const run = history.testRuns.get(event.testRun)
      if (run) this.#add(at - run.startedAt)
    }
  }

  /** The median in minutes; null before there are a few. */
  get expectedMinutes(): number | null {
    if (this.#lengths.length < fewestLengths) return null
    const sorted = this.#lengths.toSorted((a, b) => a - b)
    const median = sorted[sorted.length >> 1] ?? 0
    return Math.round((median / msPerMinute) * 10) / 10
  }

  #add(length: number): void {
    this.#lengths.push(length)
    if (this.#lengths.length > mostLengths) this.#lengths.shift()
  }
}

/** A pull request that passed or failed names the run, and its step has the instant at which it ended. */
function knownLengths({ history }: ManagedQueue): number[] {
  const lengths = new Map<TestRunId, number>()
  for (const number of history.conclusions.numbers.slice(-mostLengths)) {
    for (const { testRun, at } of stepsOf(history.pullRequests.get(number)?.timeline ?? [])) {
      const run = testRun === null ? undefined : history.testRuns.get(testRun)
      if (testRun === null || lengths.has(testRun) || !run) continue
      if (run.outcome === 'passed' && at > run.startedAt) lengths.set(testRun, at - run.startedAt)
    }
  }
  return [...lengths.values()].slice(-mostLengths)
}
