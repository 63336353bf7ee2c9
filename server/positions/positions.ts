/**
 * The positions of pull requests in the list of `getQueue`: first those in bisections and in the
 * line, then the pending ones in the order in which they will start, then those in NOT_READY
 * (A-56).
 *
 * The line is short and is read completely after each change. A hundred thousand pull requests can
 * wait for their first start, so these are kept sorted by priority and turn, which makes lookups fast. All positions follow from the state of the engine and are not stored on disk.
 */

import {
  type Event,
  type PullRequestNumber,
  type PullRequestView,
  type QueueView,
  firstIndex,
  isTerminal,
  turnOf,
} from '../../engine/index.ts'

/** Sorts pull requests in NOT_READY after every priority. */
const notReadyLevel = 256
/** More than the number of turns that a queue can have. */
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

  /** The turns of all pull requests in the queue now, by position. Changes may go on. */
  turns(): Iterable<number> {
    const started = [...this.#startedPositions().keys()].flatMap((number) => this.#found(number))
    return turnsOf(started, this.#waiting.copy())
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

/** Sorts by priority, then by turn (E-262). Turns are unique, so keys are too. */
function keyOf(pullRequest: PullRequestView): number {
  const { state, priority } = pullRequest
  return (state === 'NOT_READY' ? notReadyLevel : priority) * keysPerLevel + turnOf(pullRequest)
}

function* turnsOf(started: readonly PullRequestView[], keys: readonly number[]): Generator<number> {
  for (const pullRequest of started) yield turnOf(pullRequest)
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

// A sorted list of numbers that finds the position of a number quickly, also among a hundred
// thousand.
//
// The list is divided into chunks, so that an insertion moves only a few hundred numbers, and a
// position is found by adding the sizes of chunks.

const chunkSize = 512

export class SortedKeys {
  readonly #chunks: number[][] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(key: number): void {
    this.#size++
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at] ?? this.#chunks.at(-1)
    if (!chunk) {
      this.#chunks.push([key])
      return
    }
    chunk.splice(positionIn(chunk, key), 0, key)
    if (chunk.length <= 2 * chunkSize) return
    // Keys mostly come in ascending order, so the first part will rarely grow again.
    this.#chunks.splice(this.#chunks.indexOf(chunk) + 1, 0, chunk.splice(chunkSize))
  }

  delete(key: number): void {
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at]
    const index = chunk ? positionIn(chunk, key) : 0
    if (chunk?.[index] !== key) return
    this.#size--
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** The number of smaller keys. */
  positionOf(key: number): number {
    const at = this.#chunkFor(key)
    let before = 0
    for (let index = 0; index < at; index++) before += this.#chunks[index]?.length ?? 0
    const chunk = this.#chunks[at]
    return chunk ? before + positionIn(chunk, key) : before
  }

  /** The numbers as they are now, in ascending order. */
  copy(): number[] {
    return this.#chunks.flat()
  }

  *[Symbol.iterator](): Generator<number> {
    for (const chunk of this.#chunks) yield* chunk
  }

  /** The index of the first chunk whose last key is not smaller; one past the end if none. */
  #chunkFor(key: number): number {
    const chunks = this.#chunks
    return firstIndex(0, chunks.length, (index) => (chunks[index]?.at(-1) ?? key) >= key)
  }
}

/** The number of smaller keys in an ascending list. */
function positionIn(keys: readonly number[], key: number): number {
  return firstIndex(0, keys.length, (index) => (keys[index] ?? key) >= key)
}
