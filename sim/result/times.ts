/** How long pull requests took: from submission to merge, and to their first test run. */

import { isTerminal, type Event, type Millis, type PullRequestNumber } from '../../engine/index.ts'
import type { Book, Seen } from './book.ts'

export class Times implements Book {
  readonly inQueue: Millis[] = []
  readonly waits: Millis[] = []
  /** Those that wait for their first test run, and since when. */
  readonly #waiting = new Map<PullRequestNumber, Millis>()

  see(event: Event, { at, queue }: Seen): void {
    if (event.type === 'pullRequestSubmitted') {
      this.#waiting.set(event.number, at)
    } else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#start(number, at)
    } else if (event.type === 'pullRequestMoved') {
      if (event.to === 'MERGED') {
        this.inQueue.push(at - (queue.pullRequests[event.number]?.submittedAt ?? at))
      }
      if (isTerminal(event.to)) this.#waiting.delete(event.number)
    }
  }

  #start(number: PullRequestNumber, at: Millis): void {
    const since = this.#waiting.get(number)
    if (since === undefined) return
    this.waits.push(at - since)
    this.#waiting.delete(number)
  }
}
