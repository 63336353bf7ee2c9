/**
 * Lookups of what an event refers to. They throw if it is missing, because that is an engine bug.
 */

import type { Bisection, Group, PullRequest, Queue, TestRun } from '../model/state.ts'
import type { EventOf, EventType } from '../protocol/events.ts'

export function pullRequestOf(queue: Queue, number: number): PullRequest {
  return found(queue.pullRequests[number], `pull request ${number}`)
}

export function groupOf(queue: Queue, id: number): Group {
  return found(queue.groups[id], `group ${id}`)
}

export function bisectionOf(queue: Queue, id: number): Bisection {
  return found(
    queue.bisections.find((bisection) => bisection.id === id),
    `bisection ${id}`,
  )
}

export function testRunOf(queue: Queue, id: number): TestRun {
  return found(queue.testRuns[id], `test run ${id} in progress`)
}

/** Notes that something is due at `instant`, unless it is due now: then the rules do it now. */
export function expect(queue: Queue, instant: number): void {
  if (instant > queue.now) queue.nextDeadline = earlier(queue.nextDeadline, instant)
}

/** The earlier of two instants; null means never. */
export function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`no ${name}`)
  return value
}

/** The functions that apply events of the given types to the state. */
export type Evolution<Types extends EventType> = {
  readonly [Type in Types]: (queue: Queue, event: EventOf<Type>) => void
}
