/** The row of a pull request that is in the queue, or was. */

import type { PullRequestView } from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { pullRequestUrl } from '../views/pull-request-url.ts'
import type { Estimate, MemberDetails, Row } from './frame.ts'
import type { PublicRow } from './public-view.ts'
import { whyOf } from './why.ts'

/** When a pull request lands, as far as it is known now. */
export type EstimateOf = (queue: ManagedQueue, number: number) => Estimate | null

export function memberRow(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  estimateOf: EstimateOf,
): Row {
  return {
    ...publicRow(queue, pullRequest, estimateOf),
    member: detailsOf(queue, pullRequest),
  }
}

export function publicRow(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  estimateOf: EstimateOf,
): PublicRow {
  const { number, state, stateChangedAt, submittedAt, priority } = pullRequest
  return {
    number,
    state,
    since: new Date(stateChangedAt).toISOString(),
    submittedAt: new Date(submittedAt).toISOString(),
    urgent: priority === 0,
    why: whyOf(queue, pullRequest),
    estimate: estimateOf(queue, number),
  }
}

function detailsOf(
  { ref, history }: ManagedQueue,
  { number, priority, noBatch, submittedAt }: PullRequestView,
): MemberDetails {
  const past = history.pullRequests.get(number)
  const steps = stepsOf(past?.timeline ?? [])
  const submission = steps.findLast(
    ({ at, reason }) => reason === 'API_REQUESTED' && at <= submittedAt,
  )
  return {
    title: titleOf(history, number),
    author: past?.described.author ?? '',
    url: hasPage(ref.host) ? pullRequestUrl(ref, number) : null,
    submittedBy: submission?.by ?? null,
    priority,
    noBatch,
  }
}

const longestTitle = 250

/** Cut, because frames stay small; the page shows less. */
export function titleOf({ pullRequests }: ManagedQueue['history'], number: number): string {
  return (pullRequests.get(number)?.described.title ?? '').slice(0, longestTitle)
}

/** A repository that is only a path has no pages. */
function hasPage(host: string): boolean {
  return host.includes('.')
}
