/** Pull requests as responses show them. What no code host reported is empty. */

import {
  defaultPriority,
  isBeingMerged,
  isTerminal,
  urgentPriority,
  type Evidence,
  type GroupView,
  type PullRequestView,
} from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type * as wire from '../contract/wire.ts'
import { pullRequestId, testRunId, type QueueIds } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { failureOf, reasonOfStep } from './pending-failure.ts'
import { nameOfPriority } from './priority.ts'
import { notReadyReasons, readinessOf } from './readiness.ts'
import { inCase, type StateCase } from './state-case.ts'

export function enqueuedPullRequest(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  stateCase: StateCase,
): wire.EnqueuedPullRequest {
  const { ref, ids, history } = queue
  const past = history.pullRequests.get(pullRequest.number)
  const { number, state, stateChangedAt, priority, priorityAsked, noBatch } = pullRequest
  return {
    id: pullRequestId(ids, number),
    state: inCase(state, stateCase),
    ...(state === 'NOT_READY' ? { notReadyReasons: notReadyReasons(queue, pullRequest) } : {}),
    stateChangedAt: new Date(stateChangedAt).toISOString(),
    priorityValue: priority,
    priorityName: nameOfPriority(priority),
    ...(priorityAsked ? {} : { usedDefaultPriorityName: nameOfPriority(defaultPriority) }),
    skipTheLine: priority === urgentPriority,
    noBatch,
    ...(isBeingMerged(groupOf(queue, pullRequest), number) ? { mergeRequested: true } : {}),
    prNumber: number,
    prTitle: past?.described.title ?? '',
    prSha: past?.sha ?? '',
    prBaseBranch: ref.targetBranch,
    prAuthor: past?.described.author ?? '',
  }
}

function groupOf({ engine }: ManagedQueue, { home }: PullRequestView): GroupView | undefined {
  return home.in === 'group' ? engine.queue.groups[home.group] : undefined
}

export function submittedPullRequest(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  stateCase: StateCase,
): wire.SubmittedPullRequest {
  const { ids, positions, engine } = queue
  const { state, verifiedBy } = pullRequest
  const { reason, evidence } = failureOf(engine.queue, pullRequest)
  // `Object.assign`, because spreading so many fields takes ten times as long on the hottest path.
  return Object.assign(enqueuedPullRequest(queue, pullRequest, stateCase), {
    readiness: readinessOf(queue, pullRequest),
    isCurrentlySubmittedToQueue: !isTerminal(state),
    forceEnqueued: false,
    verifiedByTestRun: verifiedBy === null ? null : testRunId(ids, verifiedBy),
    reason,
    evidence: evidence && evidenceView(ids, evidence),
    position: positions().of(pullRequest),
  })
}

/** Every state that the pull request has been in, newest first. */
export function timelineOf(
  { ids, history }: ManagedQueue,
  { number }: PullRequestView,
  stateCase: StateCase,
): wire.TimelineEntry[] {
  const steps = stepsOf(history.pullRequests.get(number)?.timeline ?? [])
  return steps.toReversed().map((step) => ({
    state: inCase(step.state, stateCase),
    reason: reasonOfStep(history, step),
    timestamp: new Date(step.at).toISOString(),
    ...(step.by === null ? {} : { by: { token: step.by } }),
    ...(step.testRun === null ? {} : { testRunId: testRunId(ids, step.testRun) }),
  }))
}

function evidenceView(ids: QueueIds, evidence: Evidence): wire.Evidence {
  const idOf = (run: number | null): string | null => (run === null ? null : testRunId(ids, run))
  return {
    failedIn: idOf(evidence.failedIn),
    passedWithout: idOf(evidence.passedWithout),
    failedTests: evidence.failedTests.map((test) => ({ ...test })),
  }
}
