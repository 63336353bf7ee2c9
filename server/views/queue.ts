/** A queue as it is answered. */

import { bisectionSlots } from '../../engine/index.ts'
import type * as wire from '../wire.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { enqueuedPullRequest } from './pull-request.ts'
import { inCase, type StateCase } from './state-case.ts'

/** Its settings. While it switches modes, `mode` reads as the wished one. */
export function queueConfiguration(
  { ref, engine }: YardQueue,
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

export function queueWithPullRequests(queue: YardQueue, stateCase: StateCase): wire.Queue {
  const enqueued: wire.EnqueuedPullRequest[] = []
  for (const pullRequest of queue.places().inOrder()) {
    enqueued.push(enqueuedPullRequest(queue, pullRequest, stateCase))
  }
  return { ...queueConfiguration(queue, stateCase), enqueuedPullRequests: enqueued }
}
