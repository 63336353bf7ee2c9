/** What a pull request needs to become PENDING, and what keeps it in NOT_READY (E-18). */

import { canFollow, type PullRequestView, type QueueState } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

export function readinessOf({ engine }: ManagedQueue, { number }: PullRequestView): wire.Readiness {
  const { configuration, impactedTargets, hostFacts } = engine.queue
  const facts = hostFacts[number]
  const mergeability = facts?.mergeable === false ? 'not_mergeable' : 'mergeable'
  return {
    hasImpactedTargets: number in impactedTargets,
    requiresImpactedTargets: configuration.mode === 'parallel',
    doesBaseBranchMatch: true,
    gitHubMergeability: facts ? mergeability : 'unspecified',
  }
}

const reasonsByState = {
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
