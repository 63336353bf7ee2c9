/**
 * Survivors of a bisection need no run of their own where the run of the next batch clears them: they
 * wait, and it is tested on top of them.
 *
 * Rules: E-208 to E-210.
 */

import { firstPending } from '../model/pending-order.ts'
import { holds } from '../model/predecessors.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, QueueView } from '../model/state.ts'

/** True if the group waits for the run of the next batch, which is tested on top of it. */
export function ridesAlong(queue: QueueView, group: GroupView): boolean {
  if (!mayRide(queue, group)) return false
  const behind = queue.groups[queue.line[queue.line.indexOf(group.id) + 1] ?? 0]
  if (!behind) return isNextDue(queue, group)
  const { phase } = behind
  if (phase.kind === 'testing') return holds(queue, phase.run, group.members[0] ?? 0)
  return phase.kind === 'waiting' && phase.retry === null
}

/** True if the next pull requests do not wait for their batch to fill, because survivors wait for them. */
export function isNextAwaited(queue: QueueView): boolean {
  const last = queue.groups[queue.line.at(-1) ?? 0]
  return last !== undefined && mayRide(queue, last) && isNextDue(queue, last)
}

function mayRide({ configuration }: QueueView, { survived, phase }: GroupView): boolean {
  const { survivorsTakeAlong, canOptimisticallyMerge, mode } = configuration
  if (!survivorsTakeAlong || !canOptimisticallyMerge || mode === 'parallel') return false
  return survived === true && phase.kind === 'waiting' && phase.retry === null
}

function isNextDue(queue: QueueView, _group: GroupView): boolean {
  return allows(queue.state, 'startsNew') && firstPending(queue) !== undefined
}
