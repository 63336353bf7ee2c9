/**
 * The pending order: the pull requests that wait for a first start, by priority value, then by time
 * of submission.
 *
 * There is one sorted list per priority. When a pull request leaves, its entry stays and is skipped
 * afterwards, so that a step costs the same with a hundred thousand waiting pull requests. The head
 * of a list always points to a valid entry.
 */

import { append, insert, noEntries, trim, onlyEntry, positionOf, remove } from './entries.ts'
import { turnOf } from './stack.ts'
import type {
  Level,
  PendingOrder,
  PullRequest,
  PullRequestNumber,
  PullRequestView,
  Queue,
  QueueView,
  TargetIndex,
} from './state.ts'
import { targetKey, type ImpactedTargets } from './targets.ts'

export const emptyOrder = (): PendingOrder => ({
  levels: [],
  arrivals: noEntries(),
  notReady: noEntries(),
  sharing: emptyTargetIndex(),
  pending: 0,
  alone: 0,
  unready: 0,
})

/** The priority value of `urgent`: it goes ahead of all others. */
export const urgentPriority = 0

/** Flakes may send a pull request back this many times before it is tested alone. */
const flakeReturnsBeforeAlone = 3

/** True if it must be tested alone: it is `noBatch` or urgent, or flakes sent it back too often. */
export function isAlone(pullRequest: PullRequestView): boolean {
  return (
    pullRequest.noBatch ||
    pullRequest.priority === urgentPriority ||
    pullRequest.flakeReturns > flakeReturnsBeforeAlone
  )
}

/** Yields the PENDING pull requests that wait for a first start, in order. */
export function* pendingInOrder(queue: QueueView): Generator<PullRequestView> {
  for (const level of queue.order.levels) {
    for (let index = level.head; index < level.numbers.length; index++) {
      const pullRequest = queue.pullRequests[level.numbers[index] ?? -1]
      if (holdsInLevel(pullRequest, level.priority, level.keys[index])) yield pullRequest
    }
  }
}

/** Returns the first PENDING pull request in order; undefined if there is none. */
export function firstPending(queue: QueueView): PullRequestView | undefined {
  for (const level of queue.order.levels) {
    const number = level.numbers[level.head]
    if (number !== undefined) return queue.pullRequests[number]
  }
  return undefined
}

/**
 * Returns the instant since which the longest waiting pull request is PENDING; undefined for none.
 */
export function oldestPendingSince(queue: QueueView): number | undefined {
  return queue.order.arrivals.keys[queue.order.arrivals.head]
}

/** Returns the NOT_READY pull requests by their turn: that of their submission, or the later one that they took. Rule: E-262. */
export function notReadyInOrder(queue: QueueView): PullRequestView[] {
  const { numbers, head } = queue.order.notReady
  const found = new Map<PullRequestNumber, PullRequestView>()
  for (let index = head; index < numbers.length; index++) {
    const pullRequest = queue.pullRequests[numbers[index] ?? -1]
    if (isNotReady(pullRequest)) found.set(pullRequest.number, pullRequest)
  }
  return [...found.values()].sort((a, b) => turnOf(a) - turnOf(b))
}

/** True if the pull request is PENDING and has not entered the line. */
export function isPending(
  pullRequest: PullRequestView | undefined,
): pullRequest is PullRequestView {
  return pullRequest?.home.in === 'order' && pullRequest.state === 'PENDING'
}

/** Adds a pull request that has just become PENDING or NOT_READY. */
export function enterOrder(queue: Queue, pullRequest: PullRequest): void {
  const { order } = queue
  if (pullRequest.state === 'NOT_READY') {
    order.unready++
    append(order.notReady, pullRequest.number, turnOf(pullRequest))
    return
  }
  order.pending++
  if (isAlone(pullRequest)) order.alone++
  pullRequest.pendingSince = queue.now
  append(order.arrivals, pullRequest.number, queue.now)
  insert(levelOf(order, pullRequest.priority), pullRequest.number, turnOf(pullRequest))
  addToTargetIndex(queue, pullRequest)
}

/** The fields of a pull request that its position depends on, before a change. */
export type OrderFacts = {
  readonly ready: boolean
  readonly alone: boolean
  readonly priority: number
}

export function orderFactsOf(pullRequest: PullRequestView): OrderFacts {
  const { state, priority } = pullRequest
  return { ready: state === 'PENDING', alone: isAlone(pullRequest), priority }
}

/** Moves a PENDING pull request to the position of its new options. Its waiting time continues. */
export function updateOrder(queue: Queue, pullRequest: PullRequest, before: OrderFacts): void {
  const { order } = queue
  order.alone += Number(isAlone(pullRequest)) - Number(before.alone)
  insert(levelOf(order, pullRequest.priority), pullRequest.number, turnOf(pullRequest))
  removeFromTargetIndex(queue, orderedAs(pullRequest, before))
  addToTargetIndex(queue, pullRequest)
  trimLevels(queue)
}

/** Removes a pull request from the order. Call it after the pull request has changed. */
export function leaveOrder(queue: Queue, pullRequest: PullRequest, before: OrderFacts): void {
  const { order } = queue
  if (!before.ready) {
    order.unready--
    trim(order.notReady, (number) => isNotReady(queue.pullRequests[number]), order.unready)
    return
  }
  order.pending--
  pullRequest.pendingSince = null
  if (before.alone) order.alone--
  removeFromTargetIndex(queue, orderedAs(pullRequest, before))
  const isArrival = (number: PullRequestNumber, since: number): boolean => {
    const waiting = queue.pullRequests[number]
    return waiting?.home.in === 'order' && waiting.pendingSince === since
  }
  trim(order.arrivals, isArrival, order.pending)
  trimLevels(queue)
}

const orderedAs = (pullRequest: PullRequest, { priority }: OrderFacts): OrderedPullRequest => ({
  ...pullRequest,
  priority,
})

function trimLevels(queue: Queue): void {
  const { order } = queue
  let isAnyEmpty = false
  for (const level of order.levels) {
    const isHeld = (number: PullRequestNumber, key: number): boolean =>
      holdsInLevel(queue.pullRequests[number], level.priority, key)
    trim(level, isHeld, order.pending)
    isAnyEmpty ||= level.numbers.length === 0
  }
  if (isAnyEmpty) order.levels = order.levels.filter((level) => level.numbers.length > 0)
}

function holdsInLevel(
  pullRequest: PullRequestView | undefined,
  priority: number,
  turn: number | undefined,
): pullRequest is PullRequestView {
  return isPending(pullRequest) && pullRequest.priority === priority && turnOf(pullRequest) === turn
}

/** An entry of an earlier submission counts as well: each pull request is found once. */
function isNotReady(pullRequest: PullRequestView | undefined): pullRequest is PullRequestView {
  return pullRequest?.home.in === 'order' && pullRequest.state === 'NOT_READY'
}

function levelOf(order: PendingOrder, priority: number): Level {
  let at = 0
  for (const level of order.levels) {
    if (level.priority === priority) return level
    if (level.priority > priority) break
    at++
  }
  const level: Level = { priority, ...noEntries() }
  order.levels.splice(at, 0, level)
  return level
}

// An index from target to PENDING pull requests, so that the cost of a lookup depends on the number
// of targets, not on the number of waiting pull requests. Parallel mode only.

export const emptyTargetIndex = (): TargetIndex => ({ byTarget: {}, all: noEntries() })

/** Priorities are at most 255, so both values fit into an exact number. */
const submissionsPerPriority = 2 ** 44

/** Returns one number for a position in the order: priority value, then time of submission. */
export function orderKey(
  pullRequest: Pick<PullRequestView, 'priority' | 'submission' | 'turn'>,
): number {
  return pullRequest.priority * submissionsPerPriority + turnOf(pullRequest)
}

/** A pull request with the fields that its position in the order depends on. */
export type OrderedPullRequest = Pick<
  PullRequestView,
  'number' | 'priority' | 'submission' | 'turn'
>

/** Adds a pull request that has become PENDING, with its current targets in the queue. */
export function addToTargetIndex(queue: Queue, pullRequest: OrderedPullRequest): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.order.sharing
  const targets = queue.impactedTargets[pullRequest.number] ?? []
  const key = orderKey(pullRequest)
  if (targets === 'ALL') {
    insert(all, pullRequest.number, key)
    return
  }
  for (const name of targets) {
    const target = targetKey(name)
    const entries = byTarget[target]
    if (entries) insert(entries, pullRequest.number, key)
    else byTarget[target] = onlyEntry(pullRequest.number, key)
  }
}

/** Removes a pull request. Its fields and targets must be the same as when it was added. */
export function removeFromTargetIndex(queue: Queue, pullRequest: OrderedPullRequest): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.order.sharing
  const targets = queue.impactedTargets[pullRequest.number] ?? []
  const key = orderKey(pullRequest)
  if (targets === 'ALL') remove(all, key)
  else {
    for (const name of targets) {
      const entries = byTarget[targetKey(name)]
      if (!entries) continue
      remove(entries, key)
      if (entries.numbers.length === 0) delete byTarget[targetKey(name)]
    }
  }
}

/**
 * Returns the first PENDING pull request in order whose key is above `key` and that shares a target
 * with `targets`; undefined if there is none. For `ALL` use `pendingInOrder`.
 */
export function nextByTargets(
  { order, pullRequests }: QueueView,
  targets: readonly Exclude<ImpactedTargets, 'ALL'>[number][],
  key: number,
): PullRequestView | undefined {
  const { byTarget, all } = order.sharing
  let best = Infinity
  let found: number | undefined
  const consider = (entries: QueueView['order']['sharing']['all'] | undefined): void => {
    if (!entries) return
    const at = positionOf(entries, key + 1)
    const candidate = entries.keys[at] ?? Infinity
    if (candidate >= best) return
    best = candidate
    found = entries.numbers[at]
  }
  consider(all)
  for (const name of targets) consider(byTarget[targetKey(name)])
  return found === undefined ? undefined : pullRequests[found]
}
