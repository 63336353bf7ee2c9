/** Queues as responses show them. */

import { bisectionSlots } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { enqueuedPullRequest } from './pull-request.ts'
import { inCase, type StateCase } from './state-case.ts'

/** The settings of a queue. While the queue switches modes, `mode` is the new mode. */
export function queueConfiguration(
  { ref, engine }: ManagedQueue,
  stateCase: StateCase,
): wire.QueueConfiguration {
  const { state, wishedMode, configuration } = engine.queue
  const { requiredStatuses } = configuration
  return {
    branch: ref.targetBranch,
    state: inCase(state, stateCase),
    ...configuration,
    mode: wishedMode ?? configuration.mode,
    bisectionConcurrency: bisectionSlots(configuration),
    requiredStatuses: requiredStatuses && [...requiredStatuses],
  }
}

/** Longer queues are read and sent in slices. */
const shortLength = 1000

export function isShort(queue: ManagedQueue): boolean {
  return queue.positions().size <= shortLength
}

export function queueWithPullRequests(queue: ManagedQueue, stateCase: StateCase): wire.Queue {
  const enqueued: wire.EnqueuedPullRequest[] = []
  for (const pullRequest of queue.positions().inOrder()) {
    enqueued.push(enqueuedPullRequest(queue, pullRequest, stateCase))
  }
  return { ...queueConfiguration(queue, stateCase), enqueuedPullRequests: enqueued }
}
