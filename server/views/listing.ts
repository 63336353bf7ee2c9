/**
 * All pull requests of a long queue at one instant, read in slices.
 *
 * Commands go on between the slices. The reader notes which pull requests they change and reads those
 * again, until few are left; these it reads in the last slice, together with the order. So the result
 * is the state at the instant of the last slice.
 */

import type { Event, PullRequestNumber } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { enqueuedPullRequest } from './pull-request.ts'
import { queueConfiguration } from './queue.ts'
import type { StateCase } from './state-case.ts'

/** Pull requests in one slice, and in one piece of JSON. */
const perSlice = 500

type Submission = number

export type Listing = {
  readonly configuration: wire.QueueConfiguration
  /** The submissions in the queue, by position. */
  readonly order: Iterable<Submission>
  /** Pull requests as JSON; of more submissions than are in the queue. */
  readonly rows: ReadonlyMap<Submission, string>
}

/** Reads the queue; yields at the end of each slice. */
export function* listingOf(
  queue: ManagedQueue,
  stateCase: StateCase,
): Generator<undefined, Listing> {
  const rows = new Map<Submission, string>()
  const read = (number: PullRequestNumber): void => {
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) return
    const row = enqueuedPullRequest(queue, pullRequest, stateCase)
    rows.set(pullRequest.submission, JSON.stringify(row))
  }
  const changes = new Changes()
  queue.followers.add(changes.follow)
  try {
    let unread: Iterator<PullRequestNumber> | null = queue.positions().numbers()
    while (unread) {
      yield* eachInSlices(unread, read)
      const changed = changes.taken()
      // A change of state or mode changes what every pull request shows.
      if (changed === 'all') unread = queue.positions().numbers()
      else if (changed.length > perSlice) unread = changed.values()
      else {
        readAll(changed, read)
        unread = null
      }
    }
    const order = queue.positions().submissions()
    return { configuration: queueConfiguration(queue, stateCase), order, rows }
  } finally {
    queue.followers.delete(changes.follow)
  }
}

function readAll<Item>(items: readonly Item[], read: (item: Item) => void): void {
  for (const item of items) read(item)
}

function* eachInSlices<Item>(
  items: Iterator<Item>,
  use: (item: Item) => void,
): Generator<undefined, void> {
  let count = 0
  for (let next = items.next(); next.done !== true; next = items.next()) {
    use(next.value)
    if (++count % perSlice === 0) yield
  }
}

/** Returns the queue as JSON in pieces. */
export function* jsonOfQueue({ configuration, order, rows }: Listing): Generator<string> {
  yield `${JSON.stringify(configuration).slice(0, -1)},"enqueuedPullRequests":[`
  let piece: string[] = []
  let separator = ''
  for (const submission of order) {
    piece.push(rows.get(submission) ?? '')
    if (piece.length < perSlice) continue
    yield separator + piece.join(',')
    separator = ','
    piece = []
  }
  yield `${piece.length > 0 ? separator : ''}${piece.join(',')}]}`
}

/** What has changed since it was last asked. */
class Changes {
  readonly #numbers = new Set<PullRequestNumber>()
  #areAll = false

  readonly follow = (events: readonly Event[]): void => {
    for (const event of events) {
      if (event.type === 'queueStateChanged' || event.type === 'queueConfigured')
        this.#areAll = true
      else if ('number' in event && event.number !== null) this.#numbers.add(event.number)
    }
  }

  taken(): PullRequestNumber[] | 'all' {
    const taken = this.#areAll ? 'all' : [...this.#numbers]
    this.#areAll = false
    this.#numbers.clear()
    return taken
  }
}
