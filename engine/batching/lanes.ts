/**
 * Batches in parallel mode: the pending order is scanned from the first pull request. A pull
 * request joins if it shares a target with a member and shares none with a skipped pull request.
 *
 * Rule: E-97.
 */

import { targetBatchSize } from '../model/configuration.ts'
import { firstPending, isAlone, pendingInOrder } from '../model/pending-order.ts'
import { nextByTargets, orderKey } from '../model/pending-target-index.ts'
import type { Millis, PullRequestNumber, PullRequestView, QueueView } from '../model/state.ts'
import { sharesTarget, targetKey, unionOf, type ImpactedTargets } from '../model/targets.ts'

/**
 * Returns the pull requests that should start as one group now, in order; none while every batch is
 * still filling. `dueSince`: a pull request that has been PENDING since this instant or longer has
 * waited for the maximum wait.
 */
export function groupByTargets(queue: QueueView, dueSince: Millis): PullRequestNumber[] {
  for (const seed of pendingInOrder(queue)) {
    if (isBehindPending(queue, seed, new Set())) continue
    const { members, isComplete } = fill(queue, seed)
    const isDue = members.some(({ pendingSince }) => (pendingSince ?? dueSince) <= dueSince)
    if (isComplete || isDue) return members.map(({ number }) => number)
  }
  return []
}

/** True if nothing ahead shares a target: no PENDING pull request, no group and no bisection. */
export function isFree(queue: QueueView, pullRequest: PullRequestView): boolean {
  if (queue.configuration.mode === 'single') {
    const isNext = firstPending(queue)?.number === pullRequest.number
    return isNext && queue.line.length === 0 && queue.bisections.length === 0
  }
  const targets = targetsOfOne(queue, pullRequest)
  const isBisected = queue.bisections.some((bisection) => sharesTarget(targets, bisection.targets))
  if (isBisected || isTouched(queue, targets)) return false
  return !isBehindPending(queue, pullRequest, new Set())
}

type Filled = { readonly members: readonly PullRequestView[]; readonly isComplete: boolean }

/**
 * The batch that begins with `seed`. It is complete if it is full or the next candidate cannot
 * join.
 */
function fill(queue: QueueView, seed: PullRequestView): Filled {
  const size = targetBatchSize(queue.configuration)
  const members = [seed]
  if (size === 1 || isAlone(seed)) return { members, isComplete: true }
  const numbers = new Set([seed.number])
  let targets = targetsOfOne(queue, seed)
  let next = nextThatShares(queue, targets, seed)
  while (next && members.length < size) {
    if (isAlone(next) || isBehindPending(queue, next, numbers)) return { members, isComplete: true }
    members.push(next)
    numbers.add(next.number)
    targets = unionOf(targets, targetsOfOne(queue, next))
    next = nextThatShares(queue, targets, next)
  }
  return { members, isComplete: members.length === size }
}

/** True if a PENDING pull request ahead of it, not in `except`, shares a target with it. */
function isBehindPending(
  queue: QueueView,
  pullRequest: PullRequestView,
  except: ReadonlySet<PullRequestNumber>,
): boolean {
  const targets = targetsOfOne(queue, pullRequest)
  const key = orderKey(pullRequest)
  let ahead = nextThatShares(queue, targets, null)
  while (ahead && except.has(ahead.number)) ahead = nextThatShares(queue, targets, ahead)
  return ahead !== undefined && orderKey(ahead) < key
}

/** The first PENDING pull request after `behind` (null: the first of all) that shares a target. */
function nextThatShares(
  queue: QueueView,
  targets: ImpactedTargets,
  behind: PullRequestView | null,
): PullRequestView | undefined {
  const key = behind ? orderKey(behind) : -1
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
