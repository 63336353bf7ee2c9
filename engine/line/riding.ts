/**
 * Survivors of a bisection that ride along: they need no run of their own if the group behind is tested
 * on top of them, because its run clears both. While nobody is there to be tested on top of them, they
 * wait for the survivors of other bisections, no longer than a batch waits to fill.
 *
 * Rules: E-212, E-213, E-214.
 */

import { firstPending, isAlone } from '../model/pending-order.ts'
import { batchSize } from '../model/batch-size.ts'
import { groupBehind, holdsGroup } from '../model/predecessors.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, Millis, QueueView } from '../model/state.ts'
import { isLikely } from './chances.ts'

const minuteMs = 60_000

/** True if the group waits, although a slot is free, for a run of the group behind or for company. */
export function ridesAlong(queue: QueueView, group: GroupView, at: Millis): boolean {
  if (!mayRide(queue, group)) return false
  const behind = groupBehind(queue, group)
  if (!behind) return mayNextStart(queue) || at < (endOfWaitForOthers(queue) ?? at)
  const { phase } = behind
  if (phase.kind === 'testing') return holdsGroup(queue, phase.run, group)
  if (phase.kind !== 'waiting' || phase.retry) return false
  // With screening it may be tested alone, or wait itself until its predecessors are likely to pass.
  return !queue.configuration.screening || isLikely(queue, behind)
}

/** True if survivors at the end of the line would have the next pull requests tested on top of them. */
export function isNextAwaited(queue: QueueView): boolean {
  return ridersAtEnd(queue).length > 0
}

/**
 * The instant until which survivors at the end of the line wait for those of other bisections, if
 * nobody else comes; null if they do not wait: they are as many as a batch, or nothing is bisected.
 */
export function endOfWaitForOthers(queue: QueueView): Millis | null {
  const { bisections, configuration } = queue
  if (bisections.length === 0) return null
  const riders = ridersAtEnd(queue).flatMap(({ members }) => members)
  const [number] = riders
  if (number === undefined || riders.length >= batchSize(queue)) return null
  const first = queue.pullRequests[number]
  return first ? first.stateChangedAt + configuration.batchingMaxWaitTimeMinutes * minuteMs : null
}

/** The survivors behind which there is nothing else in the line. */
function ridersAtEnd(queue: QueueView): GroupView[] {
  const riders: GroupView[] = []
  for (let index = queue.line.length - 1; index >= 0; index--) {
    const group = queue.groups[queue.line[index] ?? 0]
    if (!group || !mayRide(queue, group)) break
    riders.unshift(group)
  }
  return riders
}

/** With optimistic merging the run of a group clears those on top of which it is tested. */
function mayRide(
  { configuration, pullRequests }: QueueView,
  { survived, phase, members }: GroupView,
): boolean {
  const { survivorsTakeAlong, canOptimisticallyMerge, mode } = configuration
  if (!survivorsTakeAlong || !canOptimisticallyMerge || mode === 'parallel') return false
  if (!survived || phase.kind !== 'waiting' || phase.retry) return false
  return members.every((number) => {
    const pullRequest = pullRequests[number]
    return pullRequest !== undefined && !isAlone(pullRequest)
  })
}

/** True if a pull request that has not entered the line may start behind them. */
function mayNextStart(queue: QueueView): boolean {
  return allows(queue.state, 'startsNew') && firstPending(queue) !== undefined
}
