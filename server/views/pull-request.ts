/** A pull request as it is answered. What no code host told is empty; `api.md` "Shapes". */

import {
  defaultPriority,
  isTerminal,
  urgentPriority,
  type Evidence,
  type PullRequestView,
} from '../../engine/index.ts'
import { stepsOf } from '../history/timeline.ts'
import type * as wire from '../wire.ts'
import { pullRequestId, testRunId, type IdPrefixes } from '../yard/ids.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { nameOfPriority } from './priority.ts'
import { inCase, type StateCase } from './state-case.ts'

export function enqueuedPullRequest(
  { ref, ids, history }: YardQueue,
  pullRequest: PullRequestView,
  stateCase: StateCase,
): wire.EnqueuedPullRequest {
  const { number, state, stateChangedAt, priority, priorityAsked, noBatch } = pullRequest
  return {
    id: pullRequestId(ids, number),
    state: inCase(state, stateCase),
    stateChangedAt: new Date(stateChangedAt).toISOString(),
    priorityValue: priority,
    priorityName: nameOfPriority(priority),
    ...(priorityAsked ? {} : { usedDefaultPriorityName: nameOfPriority(defaultPriority) }),
    skipTheLine: priority === urgentPriority,
    noBatch,
    prNumber: number,
    prTitle: '',
    prSha: history.pullRequests.get(number)?.sha ?? '',
    prBaseBranch: ref.targetBranch,
    prAuthor: '',
  }
}

export function submittedPullRequest(
  queue: YardQueue,
  pullRequest: PullRequestView,
  stateCase: StateCase,
): wire.SubmittedPullRequest {
  const { ids, places } = queue
  const { state, verifiedBy, reason, evidence } = pullRequest
  // Assigned, since spreading this many fields takes ten times as long, on the hottest path.
  return Object.assign(enqueuedPullRequest(queue, pullRequest, stateCase), {
    readiness: readinessOf(queue, pullRequest),
    isCurrentlySubmittedToQueue: !isTerminal(state),
    forceEnqueued: false,
    verifiedByTestRun: verifiedBy === null ? null : testRunId(ids, verifiedBy),
    reason,
    evidence: evidence && evidenceView(ids, evidence),
    position: places().of(pullRequest),
  })
}

/** Every state it has been in, newest first. */
export function timelineOf(
  { ids, history }: YardQueue,
  { number }: PullRequestView,
  stateCase: StateCase,
): wire.TimelineEntry[] {
  const steps = stepsOf(history.pullRequests.get(number)?.timeline ?? [])
  return steps.toReversed().map(({ state, reason, at, testRun }) => ({
    state: inCase(state, stateCase),
    reason,
    timestamp: new Date(at).toISOString(),
    ...(testRun === null ? {} : { testRunId: testRunId(ids, testRun) }),
  }))
}

function readinessOf({ engine }: YardQueue, { number }: PullRequestView): wire.Readiness {
  const { configuration, impactedTargets, hostFacts } = engine.queue
  const facts = hostFacts[number]
  const told = facts?.mergeable === false ? 'not_mergeable' : 'mergeable'
  return {
    hasImpactedTargets: number in impactedTargets,
    requiresImpactedTargets: configuration.mode === 'parallel',
    doesBaseBranchMatch: true,
    gitHubMergeability: facts ? told : 'unspecified',
  }
}

function evidenceView(ids: IdPrefixes, evidence: Evidence): wire.Evidence {
  const idOf = (run: number | null): string | null => (run === null ? null : testRunId(ids, run))
  return {
    failedIn: idOf(evidence.failedIn),
    passedWithout: idOf(evidence.passedWithout),
    failedTests: evidence.failedTests.map((test) => ({ ...test })),
  }
}
