/**
 * Who stands where in the list of `getQueue`: those testing first in line order, then pending in
 * the order in which they will be taken, then NOT_READY.
 *
 * The line is short and looked through once per change. Those who wait for a first start may be a
 * hundred thousand, so they are kept sorted by priority and submission, and a place is looked up.
 * All of it follows from the engine's state: nothing here is stored.
 */

import {
  isTerminal,
  type Event,
  type PullRequestNumber,
  type PullRequestView,
  type QueueView,
} from '../../engine/index.ts'
import { SortedKeys } from './sorted-keys.ts'

/** NOT_READY ones stand behind every priority. */
const notReadyLevel = 256
/** More submissions than a queue will ever see. */
const keysPerLevel = 2 ** 40

export class Places {
  readonly #queue: QueueView
  readonly #waiting = new SortedKeys()
  readonly #keys = new Map<PullRequestNumber, number>()
  readonly #numbers = new Map<number, PullRequestNumber>()
  #started: Map<PullRequestNumber, number> | null = null

  constructor(queue: QueueView) {
    this.#queue = queue
    for (const number of Object.keys(queue.pullRequests)) this.#review(Number(number))
  }

  /** Follows what has just happened in the queue. */
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

  /** Its place from 1; null where it is not in the queue. */
  of(pullRequest: PullRequestView): number | null {
    if (isTerminal(pullRequest.state)) return null
    const started = this.#startedPlaces()
    const key = this.#keys.get(pullRequest.number)
    if (key === undefined) return (started.get(pullRequest.number) ?? 0) + 1
    return started.size + this.#waiting.placeOf(key) + 1
  }

  /** How many are in the queue. */
  get size(): number {
    return this.#startedPlaces().size + this.#waiting.size
  }

  /** Everybody in the queue, first place first. */
  *inOrder(): Generator<PullRequestView> {
    for (const number of this.#startedPlaces().keys()) yield* this.#found(number)
    for (const key of this.#waiting) yield* this.#found(this.#numbers.get(key))
  }

  #found(number: PullRequestNumber | undefined): PullRequestView[] {
    const pullRequest = this.#queue.pullRequests[number ?? -1]
    return pullRequest ? [pullRequest] : []
  }

  #startedPlaces(): Map<PullRequestNumber, number> {
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

/** Sorts by priority, then by time of submission; no two pull requests share a submission. */
function keyOf({ state, priority, submission }: PullRequestView): number {
  return (state === 'NOT_READY' ? notReadyLevel : priority) * keysPerLevel + submission
}

/** Members of bisections, which were ahead of the line, and of the line; restarted ones wait behind. */
function startedInOrder(queue: QueueView): PullRequestNumber[] {
  const started = queue.bisections.flatMap(({ proven, open }) => [...proven, ...open])
  for (const id of queue.line) started.push(...(queue.groups[id]?.members ?? []))
  const isPending = (number: PullRequestNumber): boolean =>
    queue.pullRequests[number]?.state === 'PENDING'
  return [...started.filter((number) => !isPending(number)), ...started.filter(isPending)]
}
