/** Durations of pull requests: in the queue, from first submission to merge, and to the first run. */

import { isTerminal, type Event, type Millis, type PullRequestNumber } from '../../engine/index.ts'
import type { ResultProjection, ResultContext } from './result-projection.ts'

export class Times implements ResultProjection {
  readonly inQueue: Millis[] = []
  /** From the first submission to the merge, also if the pull request left and came again (S-241). */
  readonly toLand: Millis[] = []
  readonly waits: Millis[] = []
  /** The first submission of each pull request that has not merged since. */
  readonly #firstSubmittedAt = new Map<PullRequestNumber, Millis>()
  readonly #cameAgain = new Set<PullRequestNumber>()
  /** The time of submission of each pull request that waits for its first test run. */
  readonly #waiting = new Map<PullRequestNumber, Millis>()

  /** The number of pull requests that were submitted more than once before they merged. */
  get cameAgain(): number {
    return this.#cameAgain.size
  }

  onEvent(event: Event, { at, queue }: ResultContext): void {
    if (event.type === 'pullRequestSubmitted') {
      this.#submit(event.number, at)
    } else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#start(number, at)
    } else if (event.type === 'pullRequestMoved') {
      if (event.to === 'MERGED') {
        this.inQueue.push(at - (queue.pullRequests[event.number]?.submittedAt ?? at))
        this.toLand.push(at - (this.#firstSubmittedAt.get(event.number) ?? at))
        this.#firstSubmittedAt.delete(event.number)
      }
      if (isTerminal(event.to)) this.#waiting.delete(event.number)
    }
  }

  #submit(number: PullRequestNumber, at: Millis): void {
    this.#waiting.set(number, at)
    if (this.#firstSubmittedAt.has(number)) this.#cameAgain.add(number)
    else this.#firstSubmittedAt.set(number, at)
  }

  #start(number: PullRequestNumber, at: Millis): void {
    const since = this.#waiting.get(number)
    if (since === undefined) return
    this.waits.push(at - since)
    this.#waiting.delete(number)
  }
}
