/** Finding what an event talks about; its absence is an engine bug and stops everything. */

import type { Bisection, Group, PullRequest, Queue, TestRun } from '../model/state.ts'

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
  return found(queue.testRuns[id], `test run ${id} under way`)
}

/** Something falls due at this instant: nothing may sleep past it. What is due now is done now. */
export function expect(queue: Queue, instant: number): void {
  if (instant > queue.now) queue.nextDeadline = earlier(queue.nextDeadline, instant)
}

/** The earlier of two instants, where null is never. */
export function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`no ${name}`)
  return value
}
