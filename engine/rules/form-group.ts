import {
  contiguousGroup,
  type FillingGroup,
  isDue,
  pendingSinceOf,
  groupsByTargets,
  wouldStartWith,
} from '../batching/lanes.ts'
import { batchSize, fillMinutes } from '../model/policy.ts'
import { oldestPendingSince } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { Millis, PullRequestNumber, QueueView } from '../model/state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import type { Rule } from '../evolve/step.ts'

const minuteMs = 60_000

/**
 * While a slot is free, the next pull requests in order form a group. A batch starts when it is full or a
 * member has waited for the maximum wait.
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
  if (!hasSlotForNew(queue)) return null
  const since = fillingSince(queue)
  return since === Infinity ? null : since + maximumWaitMs(queue)
}

/** Those that are tested alone or depend on others wait for a batch, so that only its members count. */
function fillingSince(queue: QueueView): Millis {
  const { configuration, order, dependents = {} } = queue
  const mayWait = configuration.mode === 'parallel' && Object.keys(dependents).length > 0
  if (order.alone === 0 && !mayWait) return oldestPendingSince(queue) ?? Infinity
  let since = Infinity
  for (const group of groupsToForm(queue)) since = Math.min(since, pendingSinceOf(group))
  return since
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
  if (queue.order.pending === 0 || !startsNew(queue)) return false
  return queue.configuration.mode === 'single'
    ? nextGroup(queue, at).length > 0
    : wouldStartWith(queue, targets(), at - maximumWaitMs(queue))
}

/** True if a pull request that has not entered the line could start now. */
function hasSlotForNew(queue: QueueView): boolean {
  return startsNew(queue) && queue.slots.main < queue.configuration.concurrency
}

function startsNew(queue: QueueView): boolean {
  return allows(queue.state, 'startsNew') && failureOfTip(queue) === null
}

function nextGroup(queue: QueueView, at: Millis): PullRequestNumber[] {
  const dueSince = at - maximumWaitMs(queue)
  if (isOnlyFilling(queue, dueSince)) return []
  for (const group of groupsToForm(queue)) {
    if (isDue(group, dueSince)) return group.members.map(({ number }) => number)
  }
  return []
}

function groupsToForm(queue: QueueView): Iterable<FillingGroup> {
  return queue.configuration.mode === 'single' ? contiguousGroup(queue) : groupsByTargets(queue)
}

/** True if no batch is full and nobody has waited long enough. It runs at every step. */
function isOnlyFilling(queue: QueueView, dueSince: Millis): boolean {
  const { configuration, order } = queue
  const since = oldestPendingSince(queue)
  if (since === undefined) return true
  if (configuration.mode === 'parallel' || order.alone > 0) return false
  return since > dueSince && order.pending < batchSize(queue)
}

const maximumWaitMs = (queue: QueueView): Millis => fillMinutes(queue) * minuteMs
