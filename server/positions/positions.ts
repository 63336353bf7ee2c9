/**
 * The positions of pull requests in the list of `getQueue`: first those in bisections and in the
 * line, then the pending ones in the order in which they will start, then those in NOT_READY
 * (A-56).
 *
 * The line is short and is read completely after each change. A hundred thousand pull requests can
 * wait for their first start, so these are kept sorted by priority and submission, which makes
 * lookups fast. All positions follow from the state of the engine and are not stored on disk.
 */

import {
  isTerminal,
  type Event,
  type PullRequestNumber,
  type PullRequestView,
  type QueueView,
} from '../../engine/index.ts'
import { SortedKeys } from './sorted-keys.ts'

/** Sorts pull requests in NOT_READY after every priority. */
const notReadyLevel = 256
/** More than the number of submissions that a queue can have. */
const keysPerLevel = 2 ** 40

export class Positions {
  readonly #queue: QueueView
  readonly #waiting = new SortedKeys()
  readonly #keys = new Map<PullRequestNumber, number>()
  readonly #numbers = new Map<number, PullRequestNumber>()
  #started: Map<PullRequestNumber, number> | null = null

  constructor(queue: QueueView) {
    this.#queue = queue
    for (const number of Object.keys(queue.pullRequests)) this.#review(Number(number))
  }

  /** Updates the positions after the events of one command. */
  follow(events: readonly Event[]): void {
    this.#started = null
    for (const event of events) {
      if (event.type === 'groupPlaced') for (const number of event.members) this.#review(number)
      else if (
        event.type === 'pullRequestSubmitted' ||
        event.type === 'pullRequestRewritten' ||
        event.type === 'pullRequestMoved'
      ) {
        this.#review(event.number)
      }
    }
  }

  /** The position of a pull request, from 1; null if it is not in the queue. */
  of(pullRequest: PullRequestView): number | null {
    if (isTerminal(pullRequest.state)) return null
    const started = this.#startedPositions()
    const key = this.#keys.get(pullRequest.number)
    if (key === undefined) return (started.get(pullRequest.number) ?? 0) + 1
    return started.size + this.#waiting.positionOf(key) + 1
  }

  /** The number of pull requests in the queue. */
  get size(): number {
    return this.#startedPositions().size + this.#waiting.size
  }

  /** All pull requests in the queue, by position. */
  *inOrder(): Generator<PullRequestView> {
    for (const number of this.#startedPositions().keys()) yield* this.#found(number)
    for (const key of this.#waiting) yield* this.#found(this.#numbers.get(key))
  }

  /** The numbers of all pull requests in the queue now, in no certain order. Changes may go on. */
  *numbers(): Generator<PullRequestNumber> {
    const keys = this.#waiting.copy()
    yield* [...this.#startedPositions().keys()]
    for (const key of keys) {
      const number = this.#numbers.get(key)
      if (number !== undefined) yield number
    }
  }

  /** The submissions of all pull requests in the queue now, by position. Changes may go on. */
  submissions(): Iterable<number> {
    const started = [...this.#startedPositions().keys()].flatMap((number) => this.#found(number))
    return submissionsOf(started, this.#waiting.copy())
  }

  #found(number: PullRequestNumber | undefined): PullRequestView[] {
    const pullRequest = this.#queue.pullRequests[number ?? -1]
    return pullRequest ? [pullRequest] : []
  }

  #startedPositions(): Map<PullRequestNumber, number> {
    this.#started ??= new Map(startedInOrder(this.#queue).map((number, index) => [number, index]))
    return this.#started
  }

  #review(number: PullRequestNumber): void {
    const pullRequest = this.#queue.pullRequests[number]
    const key = pullRequest?.home.in === 'order' ? keyOf(pullRequest) : undefined
    const before = this.#keys.get(number)
    if (key === before) return
    if (before !== undefined) {
      this.#waiting.delete(before)
      this.#numbers.delete(before)
      this.#keys.delete(number)
    }
    if (key === undefined) return
    this.#waiting.add(key)
    this.#numbers.set(key, number)
    this.#keys.set(number, key)
  }
}

/** Sorts by priority, then by submission. Submission numbers are unique, so keys are too. */
function keyOf({ state, priority, submission }: PullRequestView): number {
  return (state === 'NOT_READY' ? notReadyLevel : priority) * keysPerLevel + submission
}

function* submissionsOf(
  started: readonly PullRequestView[],
  keys: readonly number[],
): Generator<number> {
  for (const { submission } of started) yield submission
  for (const key of keys) yield key % keysPerLevel
}

/** Members of bisections, then those of the line; restarted ones, which are PENDING, come last. */
function startedInOrder(queue: QueueView): PullRequestNumber[] {
  const started = queue.bisections.flatMap(({ proven, open }) => [...proven, ...open])
  for (const id of queue.line) started.push(...(queue.groups[id]?.members ?? []))
  const isPending = (number: PullRequestNumber): boolean =>
    queue.pullRequests[number]?.state === 'PENDING'
  return [...started.filter((number) => !isPending(number)), ...started.filter(isPending)]
}
