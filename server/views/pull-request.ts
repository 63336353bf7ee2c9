/** Pull requests as responses show them. What no code host reported is empty. */

import {
  type Event,
  type Evidence,
  type GroupView,
  type PullRequestNumber,
  type PullRequestView,
  type QueueView,
  type Reason,
  defaultPriority,
  isBeingMerged,
  isTerminal,
  urgentPriority,
  waitsForDependency,
  canFollow,
  dependentsOf,
  type QueueState,
} from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { PastRunOutcome, QueueHistory } from '../history/queue-history.ts'
import { type TimelineStep, stepsOf } from '../history/timeline.ts'
import { type QueueIds, pullRequestId, testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { type StateCase, inCase } from './state-case.ts'
import type { Repository } from '../identity/queue-ref.ts'

export function enqueuedPullRequest(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  stateCase: StateCase,
): wire.EnqueuedPullRequest {
  const { ref, ids, history } = queue
  const past = history.pullRequests.get(pullRequest.number)
  const { number, state, stateChangedAt, priority, priorityAsked, noBatch } = pullRequest
  const { dependsOn, leftWith } = pullRequest
  const quarantined = quarantinedIn(groupOf(queue, pullRequest)) ?? pullRequest.quarantined
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
    ...(dependsOn ? { dependsOn: [...dependsOn] } : {}),
    ...(leftWith === undefined ? {} : { leftWith }),
    ...(quarantined ? { quarantined: [...quarantined] } : {}),
    ...(isBeingMerged(groupOf(queue, pullRequest), number) ? { mergeRequested: true } : {}),
    prNumber: number,
    prTitle: past?.described.title ?? '',
    prSha: past?.sha ?? '',
    prBaseBranch: ref.targetBranch,
    prAuthor: past?.described.author ?? '',
  }
}

/** Of whom the event may change what is shown: also whether its group is being merged, and whether what it depends on is ready. */
export function concernedBy(event: Event, queue: QueueView): readonly PullRequestNumber[] {
  if (event.type === 'mergeRequested' || event.type === 'mergeRefused')
    return queue.groups[event.group]?.members ?? []
  if (!('number' in event) || event.number === null) return []
  return [event.number, ...dependentsOf(queue, event.number)]
}

/** The tests in spite of which the group has passed; undefined for none. */
const quarantinedIn = (group: GroupView | undefined): readonly string[] | undefined =>
  group?.phase.kind === 'passed' ? group.phase.run?.quarantined : undefined

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
  { number, dependsOn }: PullRequestView,
  stateCase: StateCase,
): wire.TimelineEntry[] {
  const steps = stepsOf(history.pullRequests.get(number)?.timeline ?? [])
  return steps.toReversed().map((step) => ({
    state: inCase(step.state, stateCase),
    // In a stack it may have waited for what it depends on.
    reason: dependsOn ? step.reason : reasonOfStep(history, step),
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

// Why a pull request is in PENDING_FAILURE, as webhooks say it too.

const conflict = 'START_TEST_RUN_MERGE_CONFLICT' satisfies Reason

/** A run that the runner lost leads to PENDING_FAILURE only after its last repetition. */
const reasonsByOutcome: Readonly<Partial<Record<PastRunOutcome, Reason>>> = {
  failed: 'TEST_RUN_REQUIRED_STATUS_FAILED',
  timed_out: 'TEST_RUN_TIMEOUT',
  errored: 'START_TEST_RUN_RETRY_EXHAUSTED',
}

/**
 * Returns the reason of a step. A move to PENDING_FAILURE has none of its own: it follows from the
 * run that failed. Without a run the pull request conflicts with one ahead.
 */
function reasonOfStep(
  { testRuns }: QueueHistory,
  { state, reason, testRun }: TimelineStep,
): Reason | null {
  if (state !== 'PENDING_FAILURE' || reason !== null) return reason
  if (testRun === null) return conflict
  const outcome = testRuns.get(testRun)?.outcome
  return outcome ? (reasonsByOutcome[outcome] ?? null) : null
}

type Failure = { readonly reason: Reason | null; readonly evidence: Evidence | null }

/** Why the queue is paused, for one who waits in it, if the server knows. */
export function aboutPause(queue: ManagedQueue, { state }: PullRequestView): string[] {
  const { engine, history } = queue
  const isWaiting = engine.queue.state === 'PAUSED' && !isTerminal(state)
  return isWaiting && history.pausedFor ? [`Paused: ${history.pausedFor.words}.`] : []
}

/**
 * Returns the reason of the last move, and the evidence. In PENDING_FAILURE both come from the
 * group. Which run passed without the pull request is known only when it is FAILED.
 */
export function failureOf(queue: QueueView, pullRequest: PullRequestView): Failure {
  const { state, reason, evidence, home } = pullRequest
  const group = home.in === 'group' ? queue.groups[home.group] : undefined
  if (state !== 'PENDING_FAILURE' || !group) return { reason, evidence }
  const { phase } = group
  if (waitsForDependency(group)) return { reason, evidence }
  if (phase.kind === 'conflicted') {
    return { reason: conflict, evidence: { failedIn: null, passedWithout: null, failedTests: [] } }
  }
  if (phase.kind !== 'failed') return { reason, evidence }
  const { run, failedTests } = phase
  return { reason: phase.reason, evidence: { failedIn: run.id, passedWithout: null, failedTests } }
}

/** Priorities by name. A lower value starts sooner. */
export const priorities = { urgent: 0, high: 10, medium: 100, low: 200 } as const

export function priorityValue(priority: number | string): number {
  return values.get(String(priority)) ?? Number(priority)
}

const values: ReadonlyMap<string, number> = new Map(Object.entries(priorities))
const names: ReadonlyMap<number, string> = new Map(
  Array.from(values, ([name, value]) => [value, name]),
)

/** The name of a priority value; the number as text if it has no name. */
function nameOfPriority(value: number): string {
  return names.get(value) ?? String(value)
}

// The address of a pull request on its code host.

type Queue = Pick<ManagedQueue, 'name' | 'ref'>

/** What knows the pages of a queue's pull requests: null of those without a repository, or without pages. */
export type Pages = {
  of(queue: string): { pageOf(number: number): string | null } | null
}

/** The address at which the code host shows the pull request. */
export function pullRequestUrl(pages: Pages, { name, ref }: Queue, number: number): string {
  return pages.of(name)?.pageOf(number) ?? addressByName(ref, number)
}

/** The same for a link; null: there is no such page, because the repository is only one of git. */
export function pullRequestLink(pages: Pages, queue: Queue, number: number): string | null {
  const hosted = pages.of(queue.name)
  if (hosted) return hosted.pageOf(number)
  return queue.ref.host.includes('.') ? addressByName(queue.ref, number) : null
}

/** Of a queue without a repository here only the name of the host is known. */
function addressByName({ host, owner, name }: Repository, number: number): string {
  const path = [...owner.split('/'), name].map(encodeURIComponent).join('/')
  const page = isOnGitLab(host, owner) ? '-/merge_requests' : 'pull'
  return `https://${host}/${path}/${page}/${number}`
}

/** Of the known code hosts only GitLab has nested groups, also under a name of its own. */
function isOnGitLab(host: string, owner: string): boolean {
  return owner.includes('/') || /(?:^|[.-])gitlab(?:[.:-]|$)/.test(host)
}

// What a pull request needs to become PENDING, and what keeps it in NOT_READY (E-18).

function readinessOf({ engine }: ManagedQueue, { number }: PullRequestView): wire.Readiness {
  const { configuration, impactedTargets, hostFacts } = engine.queue
  const { mergeable } = hostFacts[number] ?? {}
  const mergeability = mergeable === false ? 'not_mergeable' : 'mergeable'
  return {
    hasImpactedTargets: number in impactedTargets,
    requiresImpactedTargets: configuration.mode === 'parallel',
    doesBaseBranchMatch: true,
    gitHubMergeability: mergeable === undefined ? 'unspecified' : mergeability,
  }
}

/** Why nobody becomes ready in the queue; null: it is RUNNING. */
export const reasonsByState = {
  RUNNING: null,
  PAUSED: 'queue_paused',
  DRAINING: 'queue_draining',
  SWITCHING_MODES: 'queue_switching_modes',
} as const satisfies Record<QueueState, wire.NotReadyReason | null>

/** Everything that keeps a pull request in NOT_READY, at least one reason. */
export function notReadyReasons(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
): wire.NotReadyReason[] {
  const reasons: wire.NotReadyReason[] = []
  const ofQueue = reasonsByState[queue.engine.queue.state]
  if (ofQueue) reasons.push(ofQueue)
  const readiness = readinessOf(queue, pullRequest)
  if (readiness.gitHubMergeability === 'not_mergeable') reasons.push('not_mergeable')
  if (readiness.requiresImpactedTargets && !readiness.hasImpactedTargets) {
    reasons.push('impacted_targets_missing')
  }
  if (!canFollow(queue.engine.queue, pullRequest.dependsOn ?? [])) {
    reasons.push('dependency_not_ready')
  }
  return reasons
}
