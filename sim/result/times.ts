/** Durations of pull requests: from submission to merge, and to the first test run. */

import { isTerminal, type Event, type Millis, type PullRequestNumber } from '../../engine/index.ts'
import type { ResultProjection, ResultContext } from './result-projection.ts'

export class Times implements ResultProjection {
  readonly inQueue: Millis[] = []
  readonly waits: Millis[] = []
  /** The time of submission of each pull request that waits for its first test run. */
  readonly #waiting = new Map<PullRequestNumber, Millis>()

  onEvent(event: Event, { at, queue }: ResultContext): void {
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
