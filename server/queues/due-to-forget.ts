/** What a queue can forget: pull requests that left long ago, and old uploads for others. */

import { forgettable, type Millis, type PullRequestNumber } from '../../engine/index.ts'
import type { QueueHistory } from '../history/records.ts'
import { lastStepAt } from '../history/timeline.ts'
import type { ManagedQueue } from './managed-queue.ts'

/**
 * Returns pull requests to forget, at most so many: those that left, or of which the last report came,
 * before the instant. A-146
 */
export function dueToForget(
  { engine, history }: ManagedQueue,
  before: Millis,
  most: number,
): PullRequestNumber[] {
  const due: PullRequestNumber[] = []
  for (const number of leftBefore(history, before)) {
    if (due.length < most) due.push(number)
    else break
  }
  for (const [number, at] of history.reported) {
    if (at >= before || due.length >= most) break
    const timeline = history.pullRequests.get(number)?.timeline ?? []
    if (timeline.length === 0) due.push(number)
  }
  return forgettable(engine.queue, due)
}

function* leftBefore(
  { pullRequests, conclusions, reported }: QueueHistory,
  before: Millis,
): Generator<PullRequestNumber> {
  for (const [position, number] of conclusions.entries()) {
    const past = pullRequests.get(number)
    if (past?.concludedAs !== position) continue
    if (lastStepAt(past.timeline) >= before) return
    if ((reported.get(number) ?? 0) < before) yield number
  }
}
