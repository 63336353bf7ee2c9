/** The row of a pull request that is in the queue, or was. */

import { dependentsOf, type PullRequestView } from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type { Hosting } from '../hosting/hosting.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { pullRequestLink } from '../views/pull-request-url.ts'
import { whyInFull, whyOf } from '../views/why.ts'
import type { Estimate, MemberDetails, Row } from './frame.ts'
import type { PublicRow } from './public-view.ts'

/** When a pull request lands, as far as it is known now. */
export type EstimateOf = (queue: ManagedQueue, number: number) => Estimate | null

export type RowParts = { readonly estimateOf: EstimateOf; readonly hosting: Hosting }

export function memberRow(queue: ManagedQueue, pullRequest: PullRequestView, parts: RowParts): Row {
  return {
    ...publicRow(queue, pullRequest, parts, whyInFull),
    member: detailsOf(queue, pullRequest, parts.hosting),
  }
}

export function publicRow(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  { estimateOf }: Pick<RowParts, 'estimateOf'>,
  explain = whyOf,
): PublicRow {
  const { number, state, stateChangedAt, submittedAt, priority, dependsOn } = pullRequest
  const dependents = dependentsOf(queue.engine.queue, number).slice(0, mostDependents)
  return {
    number,
    state,
    since: new Date(stateChangedAt).toISOString(),
    submittedAt: new Date(submittedAt).toISOString(),
    urgent: priority === 0,
    ...(dependsOn ? { dependsOn } : {}),
    ...(dependents.length > 0 ? { dependents } : {}),
    why: explain(queue, pullRequest),
    estimate: estimateOf(queue, number),
  }
}

/** A frame stays small. */
const mostDependents = 20

function detailsOf(
  queue: ManagedQueue,
  { number, priority, noBatch, submittedAt }: PullRequestView,
  hosting: Hosting,
): MemberDetails {
  const { history } = queue
  const past = history.pullRequests.get(number)
  const steps = stepsOf(past?.timeline ?? [])
  const submission = steps.findLast(
    ({ at, reason }) => reason === 'API_REQUESTED' && at <= submittedAt,
  )
  return {
    title: titleOf(history, number),
    author: past?.described.author ?? '',
    url: pullRequestLink(hosting, queue, number),
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
