/**
 * Stacks: a pull request names others that it depends on. It lands after them and never without them.
 *
 * Rules: E-260 to E-268.
 */

import { isTerminal } from './pull-request.ts'
import type { PullRequestNumber, PullRequestView, QueueView } from './state.ts'

/** Those in the queue that depend on this one directly. */
export function dependentsOf(
  { dependents }: QueueView,
  number: PullRequestNumber,
): readonly PullRequestNumber[] {
  return dependents?.[number] ?? []
}

/** Those that one in the queue depends on directly and that the branch does not have yet. */
export function missingOf(queue: QueueView, number: PullRequestNumber): PullRequestNumber[] {
  const { dependsOn, state } = queue.pullRequests[number] ?? {}
  if (!dependsOn || !state || isTerminal(state)) return []
  return dependsOn.filter((other) => !hasLanded(queue, other))
}

export function isInQueue(
  { pullRequests }: Pick<QueueView, 'pullRequests'>,
  number: PullRequestNumber,
): boolean {
  const pullRequest = pullRequests[number]
  return pullRequest !== undefined && !isTerminal(pullRequest.state)
}

/** True if one of its submissions is on the branch. */
export function hasLanded({ pullRequests }: QueueView, number: PullRequestNumber): boolean {
  const pullRequest = pullRequests[number]
  return pullRequest?.state === 'MERGED' || pullRequest?.mergedBefore === true
}

/** True if each of these has landed, or is in the queue and ready: then it can land first. Rule: E-261. */
export function canFollow(queue: QueueView, dependsOn: readonly PullRequestNumber[]): boolean {
  return dependsOn.every((number) => {
    const state = queue.pullRequests[number]?.state ?? 'NOT_READY'
    return hasLanded(queue, number) || (state !== 'NOT_READY' && !isTerminal(state))
  })
}

/**
 * Returns the pull requests of the queue through which `number` would depend on itself, from it to it;
 * null if it would not. Rule: E-260.
 */
export function cycleThrough(
  queue: QueueView,
  number: PullRequestNumber,
  dependsOn: readonly PullRequestNumber[],
): PullRequestNumber[] | null {
  // Most depend on nothing.
  if (dependsOn.length === 0) return null
  const seen = new Set<PullRequestNumber>()
  // Nobody waits for one that has landed.
  const open = dependsOn
    .filter((other) => other === number || !hasLanded(queue, other))
    .map((other) => [number, other])
  for (let path = open.pop(); path; path = open.pop()) {
    const last = path.at(-1) ?? number
    if (last === number) return path
    if (seen.has(last)) continue
    seen.add(last)
    for (const below of missingOf(queue, last)) open.push([...path, below])
  }
  return null
}

/** The most urgent priority among this one and those that depend on it. Rule: E-263. */
export function priorityWithDependents(
  queue: QueueView,
  number: PullRequestNumber,
  own: number,
): number {
  return dependentsOf(queue, number).reduce(
    (least, on) => Math.min(least, queue.pullRequests[on]?.priority ?? least),
    own,
  )
}

/** The key of its place among those of one priority: when it was submitted, or could first follow. */
export const turnOf = ({
  turn,
  submission,
}: Pick<PullRequestView, 'turn' | 'submission'>): number => turn ?? submission

/** These by their turn. */
export function byTurn(
  { pullRequests }: QueueView,
  numbers: readonly PullRequestNumber[],
): PullRequestNumber[] {
  const turn = (number: PullRequestNumber): number => {
    const pullRequest = pullRequests[number]
    return pullRequest ? turnOf(pullRequest) : 0
  }
  return numbers.toSorted((a, b) => turn(a) - turn(b))
}

/**
 * The turn that it takes when it becomes PENDING: one behind all others if something that it depends on waits
 * with a later turn than its own; undefined if it keeps its turn. Rule: E-262.
 */
export function laterTurn(queue: QueueView, pullRequest: PullRequestView): number | undefined {
  const isLater = missingOf(queue, pullRequest.number).some((number) => {
    const below = queue.pullRequests[number]
    return below?.home.in === 'order' && turnOf(below) > turnOf(pullRequest)
  })
  return isLater ? queue.last.submission + 1 : undefined
}
