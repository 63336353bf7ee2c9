/**
 * How long a test run of a queue with a repository may take if nobody has said it: what its own runs have taken. And
 * runs that could not begin, which must time nobody out.
 */

import type { Event, Millis, RecordedCommand, TestRun } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { percentile } from '../terminal/percentile.ts'

/** Before so many runs have passed, nothing is known. */
const fewestRuns = 20
const mostRuns = 200
const leastMinutes = 10
/** The default of the setting. */
const usualMinutes = 300
const msPerMinute = 60_000

/** Three times what 95 of 100 passing runs take, at least 10 minutes; null: too few are known. */
export function minutesFor(lengths: readonly Millis[]): number | null {
  if (lengths.length < fewestRuns) return null
  return Math.max(leastMinutes, Math.ceil((3 * percentile(lengths, 95)) / msPerMinute))
}

type Parts = {
  readonly queue: ManagedQueue
  readonly send: (command: RecordedCommand) => void
  readonly now: () => Millis
}

export class TestLimit {
  readonly #parts: Parts
  readonly #isGiven: boolean
  #lengths: Millis[] = []
  /** A run was ended by a limit that comes from here. */
  #isTooShort = false

  /** `isGiven`: the configuration of the server names a limit. */
  constructor(parts: Parts, isGiven: boolean) {
    this.#parts = parts
    this.#isGiven = isGiven
    parts.queue.followers.add(this.#follow)
  }

  readonly #follow = (events: readonly Event[]): void => {
    const { queue, now } = this.#parts
    for (const event of events) {
      if (event.type !== 'testRunFinished') continue
      const run = queue.history.testRuns.get(event.testRun)
      if (run && event.outcome === 'passed') {
        this.#lengths = [...this.#lengths, now() - run.startedAt].slice(-mostRuns)
      }
      this.#isTooShort ||= event.outcome === 'timed_out'
    }
  }

  /**
   * Sets what is known by now, if nobody else has set it. After a run that took too long it is twice as much, and
   * learned anew: tests that became slower would never pass again.
   */
  adjust(): void {
    const { queue, send } = this.#parts
    const { testingTimeoutMinutes: current } = queue.engine.queue.configuration
    if (this.#isGiven || !isOurs(queue, current)) return
    if (this.#isTooShort) this.#lengths = []
    const longer = Math.max(current, Math.min(usualMinutes, 2 * current))
    const minutes = this.#isTooShort ? longer : (minutesFor(this.#lengths) ?? current)
    this.#isTooShort = false
    // A change is an event that people see.
    if (Math.abs(minutes - current) <= current / 4) return
    send({ type: 'updateQueue', set: { testingTimeoutMinutes: minutes }, isDerived: true })
  }

  /** Nobody tells verdicts now, so nobody is to time out before the next try. Rule: A-230. */
  renew(): void {
    const { queue, send, now } = this.#parts
    const runs = Object.values(queue.engine.queue.testRuns)
    const isNearlyOver = runs.some(({ deadline }) => deadline - now() < longestWaitMs)
    if (isNearlyOver) send({ type: 'wake', isLate: true })
  }

  close(): void {
    this.#parts.queue.followers.delete(this.#follow)
  }
}

function isOurs({ history }: ManagedQueue, minutes: number): boolean {
  if (history.timeoutBy === 'somebody') return false
  return history.timeoutBy === 'server' || minutes === usualMinutes
}

/** Longer than the longest wait before another try. */
const longestWaitMs = 10 * msPerMinute

/** True if a run that a fault outside holds up must get its time anew, before it times anybody out. */
export function isToBeginAnew(
  { startedAt, deadline }: Pick<TestRun, 'startedAt' | 'deadline'>,
  now: Millis,
): boolean {
  return now - startedAt > (deadline - startedAt) / 4 || deadline - now < longestWaitMs
}
