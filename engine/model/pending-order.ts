/**
 * Who waits for a first start, in the order in which they will be taken: priority value, then
 * time of submission.
 *
 * One sorted list per priority. An entry is not removed when its pull request leaves, only
 * skipped from then on, so that a hundred thousand waiting pull requests cost a step nothing; the
 * head of a list always stands on a valid entry.
 */

import { append, insert, noEntries, trim } from './entries.ts'
import { addSharing, emptySharing, removeSharing, type Placed } from './pending-sharing.ts'
import type {
  Level,
  PendingOrder,
  PullRequest,
  PullRequestNumber,
  PullRequestView,
  Queue,
  QueueView,
} from './state.ts'

export const emptyOrder = (): PendingOrder => ({
  levels: [],
  arrivals: noEntries(),
  notReady: noEntries(),
  sharing: emptySharing(),
  pending: 0,
  alone: 0,
  unready: 0,
})

/** The value of `urgent`: it does not wait its turn. */
export const urgentPriority = 0

/** A flake may send a pull request back this often before it is tested alone. */
const flakeReturnsBeforeAlone = 3

/** Tested by itself: asked for (`noBatch`), urgent, or a flake sent it back too often. */
export function isAlone(pullRequest: PullRequestView): boolean {
  return (
    pullRequest.noBatch ||
    pullRequest.priority === urgentPriority ||
    pullRequest.flakeReturns > flakeReturnsBeforeAlone
  )
}

/** The PENDING pull requests that wait for a first start, in the order in which they are taken. */
export function* pendingInOrder(queue: QueueView): Generator<PullRequestView> {
  for (const level of queue.order.levels) {
    for (let index = level.head; index < level.numbers.length; index++) {
      const pullRequest = queue.pullRequests[level.numbers[index] ?? -1]
      if (pullRequest && holdsInLevel(pullRequest, level.priority, level.keys[index])) {
        yield pullRequest
      }
    }
  }
}

/** The next in order, if anybody is PENDING. */
export function firstPending(queue: QueueView): PullRequestView | undefined {
  for (const level of queue.order.levels) {
    const number = level.numbers[level.head]
    if (number !== undefined) return queue.pullRequests[number]
  }
  return undefined
}

/** Since when the longest waiting PENDING pull request has been so. */
export function oldestPendingSince(queue: QueueView): number | undefined {
  return queue.order.arrivals.keys[queue.order.arrivals.head]
}

/** The NOT_READY pull requests by time of submission. */
export function notReadyInOrder(queue: QueueView): PullRequestView[] {
  const { numbers, keys, head } = queue.order.notReady
  const found = new Map<PullRequestNumber, PullRequestView>()
  for (let index = head; index < numbers.length; index++) {
    const pullRequest = queue.pullRequests[numbers[index] ?? -1]
    if (pullRequest && holdsInNotReady(pullRequest, keys[index])) {
      found.set(pullRequest.number, pullRequest)
    }
  }
  return [...found.values()].sort((a, b) => a.submission - b.submission)
}

/** Whether the pull request waits for its first start and could have it. */
export function isPending(pullRequest: PullRequestView | undefined): boolean {
  return pullRequest?.home.in === 'order' && pullRequest.state === 'PENDING'
}

/** Puts a pull request that has just become PENDING or NOT_READY where it belongs. */
export function enterOrder(queue: Queue, pullRequest: PullRequest): void {
  const { order } = queue
  if (pullRequest.state === 'NOT_READY') {
    order.unready++
    append(order.notReady, pullRequest.number, pullRequest.submission)
    return
  }
  order.pending++
  if (isAlone(pullRequest)) order.alone++
  append(order.arrivals, pullRequest.number, pullRequest.pendingSince ?? queue.now)
  insert(levelOf(order, pullRequest.priority), pullRequest.number, pullRequest.submission)
  addSharing(queue, pullRequest)
}

/** How a pull request was, before something changed that its place depends on. */
export type Was = {
  readonly ready: boolean
  readonly alone: boolean
  readonly priority: number
}

export function wasOf(pullRequest: PullRequestView): Was {
  const { state, priority } = pullRequest
  return { ready: state === 'PENDING', alone: isAlone(pullRequest), priority }
}

/** Moves a PENDING pull request to where its new priority or wishes put it; its wait goes on. */
export function changePlace(queue: Queue, pullRequest: PullRequest, was: Was): void {
  const { order } = queue
  order.alone += Number(isAlone(pullRequest)) - Number(was.alone)
  insert(levelOf(order, pullRequest.priority), pullRequest.number, pullRequest.submission)
  removeSharing(queue, placedAs(pullRequest, was))
  addSharing(queue, pullRequest)
  trimLevels(queue)
}

/** Counts a pull request out, after it has changed. */
export function leaveOrder(queue: Queue, pullRequest: PullRequest, was: Was): void {
  const { order } = queue
  if (!was.ready) {
    order.unready--
    trim(order.notReady, (number, key) => holdsInNotReady(queue.pullRequests[number], key))
    return
  }
  order.pending--
  if (was.alone) order.alone--
  removeSharing(queue, placedAs(pullRequest, was))
  trim(order.arrivals, (number, key) => holdsInArrivals(queue.pullRequests[number], key))
  trimLevels(queue)
}

const placedAs = ({ number, submission }: PullRequest, { priority }: Was): Placed => ({
  number,
  submission,
  priority,
})

function trimLevels(queue: Queue): void {
  const { order } = queue
  let isAnyEmpty = false
  for (const level of order.levels) {
    trim(level, (number, key) => holdsInLevel(queue.pullRequests[number], level.priority, key))
    isAnyEmpty ||= level.numbers.length === 0
  }
  if (isAnyEmpty) order.levels = order.levels.filter((level) => level.numbers.length > 0)
}

const isWaiting = (pullRequest: PullRequestView | undefined): pullRequest is PullRequestView =>
  pullRequest?.home.in === 'order'

function holdsInLevel(
  pullRequest: PullRequestView | undefined,
  priority: number,
  submission: number | undefined,
): boolean {
  return (
    isWaiting(pullRequest) &&
    pullRequest.state === 'PENDING' &&
    pullRequest.priority === priority &&
    pullRequest.submission === submission
  )
}

function holdsInArrivals(
  pullRequest: PullRequestView | undefined,
  since: number | undefined,
): boolean {
  return isWaiting(pullRequest) && pullRequest.pendingSince === since
}

function holdsInNotReady(
  pullRequest: PullRequestView | undefined,
  submission: number | undefined,
): boolean {
  return (
    isWaiting(pullRequest) &&
    pullRequest.state === 'NOT_READY' &&
    pullRequest.submission === submission
  )
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
