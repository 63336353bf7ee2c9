/**
 * The authors whose healthy pull request was evicted: they submit it again after a while, until it
 * lands (S-242). Healthy means what `healthyEvicted` means (S-57), judged at the eviction. One that
 * has come to conflict with the branch meanwhile is tested again, fails, and does not come again. Who
 * clashed comes again too, written on the branch of then (S-270), and so does what left because it depends on
 * one that comes again (S-300).
 */

import type { CommandBody, Millis, PullRequestNumber, QueueView } from '../../engine/index.ts'
import type { RunContext } from '../observe/run-context.ts'
import { MainHealth } from '../result/main-health.ts'
import type { Resubmit } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import type { Step } from '../steps/step.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** The largest number of submissions of one pull request, so that every run ends. */
export const mostSubmissions = 20

export class Resubmissions {
  readonly #clock: VirtualClock
  readonly #afterMs: Millis
  readonly #health: MainHealth
  readonly #submissions = new Map<PullRequestNumber, number>()
  /** When each pull request that is to come again was evicted. */
  readonly #evictedAt = new Map<PullRequestNumber, Millis>()
  #evicted: PullRequestNumber[] = []
  /** Those that left because of another one, in this step. */
  #left: { readonly number: PullRequestNumber; readonly leftWith?: PullRequestNumber }[] = []

  constructor({ afterMinutes }: Resubmit, context: RunContext, clock: VirtualClock) {
    this.#clock = clock
    this.#afterMs = toMillis(afterMinutes)
    this.#health = new MainHealth(context, (number, what) => {
      const canAdapt = what === 'clashed' && context.truth.clashesOf(number).length > 0
      if (what === 'evicted' || canAdapt) this.#evicted.push(number)
    })
  }

  read({ command: { at }, events, queue }: Step): void {
    for (const event of events) {
      this.#health.onEvent(event, { at, queue })
      if (event.type === 'pullRequestSubmitted') {
        this.#submissions.set(event.number, (this.#submissions.get(event.number) ?? 0) + 1)
        this.#evictedAt.delete(event.number)
      } else if (event.type === 'pullRequestMoved' && event.to === 'MERGED') {
        this.#submissions.delete(event.number)
        this.#evictedAt.delete(event.number)
      } else if (event.type === 'pullRequestMoved' && event.leftWith !== undefined)
        this.#left.push(event)
    }
    for (const number of this.#evicted) {
      this.#schedule(number, at, queue)
      for (const other of this.#left.filter(({ leftWith }) => leftWith === number)) {
        this.#schedule(other.number, at, queue)
      }
    }
    this.#left = []
    this.#evicted = []
  }

  #schedule(number: PullRequestNumber, at: Millis, queue: QueueView): void {
    if ((this.#submissions.get(number) ?? 0) >= mostSubmissions) return
    this.#evictedAt.set(number, at)
    const due = at + this.#afterMs
    const again = { ...submissionAgain(number, queue), at: due }
    this.#clock.schedule({
      at: due,
      kind: 'submission',
      name: `${number} again`,
      // Somebody else may have submitted or merged it meanwhile.
      commands: () => (this.#evictedAt.get(number) === at ? [again] : []),
    })
  }
}

function submissionAgain(number: PullRequestNumber, { pullRequests }: QueueView): CommandBody {
  const { priority, priorityAsked = false, noBatch = false, dependsOn } = pullRequests[number] ?? {}
  return {
    type: 'submitPullRequest',
    number,
    ...(priorityAsked && priority !== undefined ? { priority } : {}),
    ...(noBatch ? { noBatch } : {}),
    ...(dependsOn ? { dependsOn } : {}),
  }
}
