/**
 * Parallel mode: a batch is filled by scanning in order. A pull request that shares a target with
 * any member joins, unless it shares one with a pull request that was skipped.
 *
 * Source: spec "Parallel mode".
 */

import { targetBatchSize } from '../model/configuration.ts'
import { firstPending, isAlone, pendingInOrder } from '../model/pending-order.ts'
import { nextSharing, orderKey } from '../model/pending-sharing.ts'
import type { Millis, PullRequestNumber, PullRequestView, QueueView } from '../model/state.ts'
import { sharesTarget, targetKey, type ImpactedTargets } from '../model/targets.ts'

/**
 * The pull requests that should start together now; none while every batch is still filling.
 * `dueSince`: whoever has been PENDING since then, or longer, has waited for the maximum wait.
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

/** Whether nothing ahead shares a target with it: nobody PENDING, no group, no bisection. */
export function isFree(queue: QueueView, pullRequest: PullRequestView): boolean {
  if (queue.configuration.mode === 'single') {
    const isNext = firstPending(queue)?.number === pullRequest.number
    return isNext && queue.line.length === 0 && queue.bisections.length === 0
  }
  const targets = targetsOfOne(queue, pullRequest)
  const isBeside = queue.bisections.some((bisection) => sharesTarget(targets, bisection.targets))
  return !isBeside && !isTouched(queue, targets) && !isBehindPending(queue, pullRequest, new Set())
}

type Filled = { readonly members: readonly PullRequestView[]; readonly isComplete: boolean }

/** The batch that begins with `seed`. Complete: full, or the next that shares cannot join. */
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
    targets = union(targets, targetsOfOne(queue, next))
    next = nextThatShares(queue, targets, next)
  }
  return { members, isComplete: members.length === size }
}

/** Whether somebody PENDING ahead of it shares a target with it and is not among these. */
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

/** The first PENDING pull request behind `behind` that shares a target with these. */
function nextThatShares(
  queue: QueueView,
  targets: ImpactedTargets,
  behind: PullRequestView | null,
): PullRequestView | undefined {
  const key = behind ? orderKey(behind) : -1
  if (targets !== 'ALL') return nextSharing(queue, targets, key)
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

function union(a: ImpactedTargets, b: ImpactedTargets): ImpactedTargets {
  return a === 'ALL' || b === 'ALL' ? 'ALL' : [...new Set([...a, ...b])]
}
