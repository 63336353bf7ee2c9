/**
 * Batches in parallel mode: the pending order is scanned from the first pull request. A pull
 * request joins if it shares a target with a member and shares none with a skipped pull request.
 *
 * Rules: E-32, E-97.
 */

import { batchSize } from '../model/policy.ts'
import {
  firstPending,
  isAlone,
  isPending,
  pendingInOrder,
  nextByTargets,
  orderKey,
} from '../model/pending-order.ts'
import { isLineEmpty } from '../model/predecessors.ts'
import { missingOf } from '../model/stack.ts'
import type { Millis, PullRequestView, QueueView } from '../model/state.ts'
import { sharesTarget, targetKey, unionOf, type ImpactedTargets } from '../model/targets.ts'

/**
 * Yields the groups that may start next, by the position of their first member. It shares no target
 * with anything PENDING ahead.
 */
export function* groupsByTargets(queue: QueueView): Generator<FillingGroup> {
  for (const first of pendingInOrder(queue)) {
    if (!isBehindPending(queue, first)) yield fill(queue, first)
  }
}

/**
 * True if a slot would start a group, now or after others ahead of it, that shares one of these
 * targets. Only the first pull request that shares a target is looked up, because the others start
 * after it or with it. It starts when the first that it waits for does: a batch ends at a pull
 * request that waits for another one too.
 */
export function wouldStartWith(
  queue: QueueView,
  targets: ImpactedTargets,
  dueSince: Millis,
): boolean {
  if (targets === 'ALL') return [...groupsByTargets(queue)].some((group) => isDue(group, dueSince))
  // No target finds those that impact every target.
  for (const names of [[], ...targets.map((name) => [name])]) {
    const first = nextThatShares(queue, names, null)
    if (first && isDue(fill(queue, firstAwaited(queue, first)), dueSince)) return true
  }
  return false
}

/** The first PENDING pull request that this one waits for, transitively; itself if it is next. */
function firstAwaited(queue: QueueView, pullRequest: PullRequestView): PullRequestView {
  let first = pullRequest
  for (;;) {
    const ahead = nextThatShares(queue, targetsOfOne(queue, first), null)
    const isBehind = ahead !== undefined && orderKey(ahead) < orderKey(first)
    const next = isBehind ? ahead : pendingBelow(queue, first)[0]
    if (!next) return first
    first = next
  }
}

/** True if nothing ahead shares a target: no PENDING pull request, no group and no bisection. */
export function isFree(queue: QueueView, pullRequest: PullRequestView): boolean {
  if (queue.configuration.mode === 'single') {
    const isNext = firstPending(queue)?.number === pullRequest.number
    return isNext && isLineEmpty(queue)
  }
  const targets = targetsOfOne(queue, pullRequest)
  const isBisected = queue.bisections.some((bisection) => sharesTarget(targets, bisection.targets))
  if (isBisected || isTouched(queue, targets)) return false
  return !isBehindPending(queue, pullRequest)
}

/**
 * The batch that begins with `first`. It is complete if it is full or the next candidate cannot
 * join: it is tested alone, or waits for another one too.
 */
function fill(queue: QueueView, first: PullRequestView): FillingGroup {
  const size = batchSize(queue)
  const members = [first]
  if (isAlone(first)) return { members, isComplete: true }
  const isSkipped = (other: PullRequestView): boolean => !members.includes(other)
  let targets = targetsOfOne(queue, first)
  while (members.length < size) {
    const next = nextThatShares(queue, targets, members.at(-1) ?? first)
    if (!next) break
    if (isAlone(next) || isBehindPending(queue, next, isSkipped)) {
      return { members, isComplete: true }
    }
    members.push(next)
    targets = unionOf(targets, targetsOfOne(queue, next))
  }
  return { members, isComplete: members.length === size }
}

/** True if it depends on a PENDING pull request or shares a target with one ahead of it, and that one `counts`. */
function isBehindPending(
  queue: QueueView,
  pullRequest: PullRequestView,
  counts: (other: PullRequestView) => boolean = () => true,
): boolean {
  if (pendingBelow(queue, pullRequest).some(counts)) return true
  const targets = targetsOfOne(queue, pullRequest)
  const key = orderKey(pullRequest)
  let ahead = nextThatShares(queue, targets, null)
  while (ahead && orderKey(ahead) < key) {
    if (counts(ahead)) return true
    ahead = nextThatShares(queue, targets, ahead)
  }
  return false
}

/** What it depends on and has not entered the line. An empty list of targets shares none with it. Rule: E-269. */
const pendingBelow = (queue: QueueView, { number }: PullRequestView): PullRequestView[] =>
  missingOf(queue, number)
    .map((below) => queue.pullRequests[below])
    .filter(isPending)

/** The first PENDING pull request after `behind` (null: the first of all) that shares a target. */
function nextThatShares(
  queue: QueueView,
  targets: ImpactedTargets,
  behind: PullRequestView | null,
): PullRequestView | undefined {
  const key = behind ? orderKey(behind) : -Infinity
  if (targets !== 'ALL') return nextByTargets(queue, targets, key)
  for (const candidate of pendingInOrder(queue)) {
    if (orderKey(candidate) > key) return candidate
  }
  return undefined
}

function isTouched(queue: QueueView, targets: ImpactedTargets): boolean {
  if (targets === 'ALL') return queue.line.length > 0
  const { byTarget, all } = queue.touching
  return all.length > 0 || targets.some((name) => targetKey(name) in byTarget)
}

const targetsOfOne = (queue: QueueView, { number }: PullRequestView): ImpactedTargets =>
  queue.impactedTargets[number] ?? []

// A group that is to start, or a batch that is still filling.

export type FillingGroup = {
  /** In order. */
  readonly members: readonly PullRequestView[]
  /** It starts without waiting: it is full, or is tested alone, or nobody more can join. */
  readonly isComplete: boolean
}

/** The instant since which its longest waiting member is PENDING; Infinity for none. */
export function pendingSinceOf({ members }: FillingGroup): Millis {
  let since = Infinity
  for (const { pendingSince } of members) since = Math.min(since, pendingSince ?? Infinity)
  return since
}

/** True if it starts as soon as a slot is free: it is complete or has waited since `dueSince`. */
export const isDue = (group: FillingGroup, dueSince: Millis): boolean =>
  group.isComplete || pendingSinceOf(group) <= dueSince

// Batches in single mode: the next pull requests in order, up to the batch size. A batch ends at one
// that is tested alone.
//
// Rules: E-30, E-31, E-32, E-225.

/** Yields the group that starts next, the next pull requests in order; none if nothing is PENDING. */
export function* contiguousGroup(queue: QueueView): Generator<FillingGroup> {
  const size = batchSize(queue)
  const members: PullRequestView[] = []
  let isComplete = false
  for (const pullRequest of pendingInOrder(queue)) {
    const isSingle = isAlone(pullRequest)
    if (!isSingle || members.length === 0) members.push(pullRequest)
    isComplete = isSingle || members.length === size
    if (isComplete) break
  }
  if (members.length > 0) yield { members, isComplete }
}
