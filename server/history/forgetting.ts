/**
 * What a server forgets: pull requests that left the queue long ago, with their test runs, and uploads
 * for pull requests that were never submitted.
 */

import { forgettable, type Millis, type PullRequestNumber } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { PastRun, QueueHistory } from './queue-history.ts'
import { lastStepAt } from './timeline.ts'

/** Notes a report about a pull request that is not in the queue. The latest comes last. */
export function noteReport(
  { pullRequests, reported }: QueueHistory,
  number: PullRequestNumber,
  at: Millis,
): void {
  const past = pullRequests.get(number)
  const isInQueue = past !== undefined && past.timeline.length > 0 && past.concludedAs === null
  if (isInQueue) return
  reported.delete(number)
  reported.set(number, at)
}

export function forgetPullRequest(
  { pullRequests, reported, conclusions }: QueueHistory,
  number: PullRequestNumber,
): void {
  const past = pullRequests.get(number)
  if (past && past.concludedAs !== null) conclusions.forget(lastStepAt(past.timeline))
  pullRequests.delete(number)
  reported.delete(number)
}

/** Drops the conclusions and test runs of which every pull request is forgotten. */
export function dropForgotten({ pullRequests, testRuns, conclusions }: QueueHistory): void {
  conclusions.dropUnused((position, number) => pullRequests.get(number)?.concludedAs === position)
  const isForgotten = ({ outcome, tested, startedAt }: PastRun): boolean =>
    outcome !== null &&
    startedAt <= conclusions.forgotten.forgottenUntil &&
    !tested.some((number) => pullRequests.has(number))
  for (const [id, run] of testRuns) {
    // Runs are in the order in which they started.
    if (run.startedAt > conclusions.forgotten.forgottenUntil) return
    if (isForgotten(run)) testRuns.delete(id)
  }
}

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
    if (!history.pullRequests.get(number)?.timeline.length) due.push(number)
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
