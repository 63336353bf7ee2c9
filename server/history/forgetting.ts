/**
 * What a server forgets: pull requests that left the queue long ago, with their test runs, and uploads
 * for pull requests that were never submitted.
 */

import type { Millis, PullRequestNumber } from '../../engine/index.ts'
import { dropCommits } from './commits.ts'
import type { PastRun, QueueHistory } from './records.ts'
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

/** Drops the conclusions, test runs and cards of which every pull request is forgotten. */
export function dropForgotten(history: QueueHistory): void {
  const { pullRequests, testRuns, conclusions } = history
  dropCommits(history)
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
