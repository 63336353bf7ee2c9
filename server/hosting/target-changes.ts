/** What pushes to the target branch from outside mean for a queue. */

import { isTerminal, type PullRequestNumber, type QueueView } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'

/** A commit that is new on the target branch, oldest first along the first parents. */
export type NewCommit = {
  readonly commit: Oid
  /** The pull requests that the commit says it lands, or whose head it brought. */
  readonly numbers: readonly PullRequestNumber[]
  /** False: it changes something else too, so what is tested on top of them is out of date. */
  readonly isMadeOfThem: boolean
}

export type TargetReport =
  | { readonly type: 'reportManualMerge'; readonly number: PullRequestNumber; readonly commit: Oid }
  | { readonly type: 'reportPush'; readonly commit: Oid }

/**
 * Pull requests of the queue that somebody merged by hand are told one by one, in order. All other
 * commits are one push; so is a merge by hand that changed something else too. The last report has the commit on which the branch is now.
 */
export function reportsOf(queue: QueueView, commits: readonly NewCommit[]): TargetReport[] {
  const reports: TargetReport[] = []
  const told = new Set<PullRequestNumber>()
  for (const { commit, numbers, isMadeOfThem } of commits) {
    const merged = numbers.filter((number) => isQueued(queue, number) && !told.has(number))
    for (const number of merged) {
      told.add(number)
      reports.push({ type: 'reportManualMerge', number, commit })
    }
    if (merged.length > 0 && isMadeOfThem) continue
    if (reports.at(-1)?.type === 'reportPush') reports.pop()
    reports.push({ type: 'reportPush', commit })
  }
  return reports
}

function isQueued(queue: QueueView, number: PullRequestNumber): boolean {
  const pullRequest = queue.pullRequests[number]
  return pullRequest !== undefined && !isTerminal(pullRequest.state)
}
