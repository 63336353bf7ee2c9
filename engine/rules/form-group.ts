import { contiguousGroup } from '../batching/contiguous.ts'
import { groupByTargets, wouldStartWith } from '../batching/lanes.ts'
import { oldestPendingSince } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { Millis, PullRequestNumber, QueueView } from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import type { Rule } from './rule.ts'

const minuteMs = 60_000

/**
 * While a slot is free, the next pull requests in order form a group. A batch starts when it is
 * full, when a member has waited for the maximum wait, or when the next pull request cannot join
 * it.
 */
export const formGroup: Rule = (step) => {
  const { queue } = step
  if (!hasSlotForNew(queue)) return false
  const members = nextGroup(queue, step.at)
  if (members.length === 0) return false
  step.emit({
    type: 'groupPlaced',
    group: queue.last.group + 1,
    members,
    index: queue.line.length,
    cause: 'formed',
    bisection: null,
  })
  return true
}

/**
 * Returns the instant at which the wait for a batch ends; null if no batch is filling or no slot is
 * free.
 */
export function fillDeadline(queue: QueueView): Millis | null {
  const since = oldestPendingSince(queue)
  return since === undefined || !hasSlotForNew(queue) ? null : since + maximumWaitMs(queue)
}

/**
 * True if a free slot would start pull requests on top of groups with these targets. A batch that
 * still fills would not start.
 */
export function wouldStartOnTopOf(
  queue: QueueView,
  at: Millis,
  targets: () => ImpactedTargets,
): boolean {
  const since = oldestPendingSince(queue)
  if (since === undefined || !allows(queue.state, 'startsNew')) return false
  const dueSince = at - maximumWaitMs(queue)
  return queue.configuration.mode === 'single'
    ? contiguousGroup(queue, since <= dueSince).length > 0
    : wouldStartWith(queue, targets(), dueSince)
}

/** True if a pull request that has not entered the line could start now. */
function hasSlotForNew(queue: QueueView): boolean {
  return allows(queue.state, 'startsNew') && queue.slots.main < queue.configuration.concurrency
}

function nextGroup(queue: QueueView, at: Millis): PullRequestNumber[] {
  const since = oldestPendingSince(queue)
  if (since === undefined) return []
  const dueSince = at - maximumWaitMs(queue)
  return queue.configuration.mode === 'single'
    ? contiguousGroup(queue, since <= dueSince)
    : groupByTargets(queue, dueSince)
}

function maximumWaitMs({ configuration }: QueueView): Millis {
  return configuration.batchingMaxWaitTimeMinutes * minuteMs
}
