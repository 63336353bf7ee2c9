/** Follows the events of a queue and keeps what a forecast learns from. Its memory is bounded. */

import type {
  Event,
  EventOf,
  ImpactedTargets,
  Millis,
  PullRequestNumber,
  QueueView,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import { present } from './copy.ts'
import {
  mostArrivals,
  mostLengths,
  mostVerdicts,
  type Observed,
  type ObservedArrival,
  type ObservedLength,
  type ObservedVerdict,
} from './observed.ts'

const mostTests = 20

type Run = Pick<TestRun, 'submissions' | 'startedAt'>
type Arrived = ObservedArrival & { readonly number: PullRequestNumber }

export class Observer {
  readonly #verdicts: ObservedVerdict[]
  readonly #lengths: ObservedLength[]
  readonly #arrivals: Arrived[]
  readonly #merged: Set<number>
  readonly #underWay = new Map<TestRunId, Run>()
  /** The submission of each pull request that is in the queue. */
  readonly #submissions = new Map<PullRequestNumber, number>()

  /** Begins with what is known already, for example of an earlier process. */
  constructor(queue: QueueView, known: Observed = nothing) {
    this.#verdicts = [...known.verdicts]
    this.#lengths = [...known.lengths]
    this.#arrivals = known.arrivals.map((arrival) => ({ ...arrival, number: -1 }))
    this.#merged = new Set(known.merged)
    for (const run of Object.values(queue.testRuns)) this.#underWay.set(run.id, run)
    for (const { number, submission } of present(queue)) {
      this.#submissions.set(number, submission)
    }
  }

  get observed(): Observed {
    return {
      verdicts: this.#verdicts,
      lengths: this.#lengths,
      arrivals: this.#arrivals,
      merged: [...this.#merged],
    }
  }

  /** Reads the events of one command. `targetsOf` is asked for what was uploaded before a submission. */
  read(
    at: Millis,
    events: readonly Event[],
    targetsOf: (number: PullRequestNumber) => ImpactedTargets | null,
  ): void {
    const over: TestRunId[] = []
    for (const event of events) {
      if (event.type === 'testRunStarted') this.#underWay.set(event.run.id, event.run)
      else if (event.type === 'testRunFinished' || event.type === 'testRunCancelled') {
        this.#addLength(at, event)
        over.push(event.testRun)
      } else if (event.type === 'verdictRecorded') this.#addVerdict(event)
      else if (event.type === 'pullRequestSubmitted') this.#addArrival(at, event, targetsOf)
      else if (event.type === 'pullRequestMoved') this.#addEnd(event)
    }
    for (const id of over) this.#underWay.delete(id)
  }

  #addLength(at: Millis, event: EventOf<'testRunFinished'> | EventOf<'testRunCancelled'>): void {
    const run = this.#underWay.get(event.testRun)
    // A lost run says nothing about how long tests take.
    const isLost = event.type === 'testRunFinished' && event.outcome === 'errored'
    if (!run || isLost) return
    const isWhole = event.type === 'testRunFinished' && event.outcome !== 'timed_out'
    this.#lengths.push({ ms: at - run.startedAt, isWhole })
    if (this.#lengths.length > mostLengths) this.#lengths.shift()
  }

  #addVerdict({ testRun, outcome, failedTests }: EventOf<'verdictRecorded'>): void {
    const run = this.#underWay.get(testRun)
    if (!run) return
    const tests = failedTests.slice(0, mostTests)
    this.#verdicts.push({ contents: [...run.submissions], outcome, failedTests: tests })
    if (this.#verdicts.length > mostVerdicts) this.#dropOldest()
  }

  #addArrival(
    at: Millis,
    event: EventOf<'pullRequestSubmitted'>,
    targetsOf: (number: PullRequestNumber) => ImpactedTargets | null,
  ): void {
    const { number, submission, priority, priorityAsked, noBatch } = event
    this.#submissions.set(number, submission)
    const asked = priorityAsked ? priority : null
    this.#arrivals.push({ number, at, priority: asked, noBatch, targets: targetsOf(number) })
    if (this.#arrivals.length > mostArrivals) this.#arrivals.shift()
  }

  #addEnd({ number, to }: EventOf<'pullRequestMoved'>): void {
    if (to !== 'MERGED' && to !== 'FAILED' && to !== 'CANCELLED') return
    const submission = this.#submissions.get(number)
    this.#submissions.delete(number)
    if (to === 'MERGED' && submission !== undefined) this.#merged.add(submission)
  }

  #dropOldest(): void {
    this.#verdicts.splice(0, this.#verdicts.length - mostVerdicts)
    if (this.#merged.size < 2 * mostVerdicts) return
    const inUse = new Set(this.#verdicts.flatMap(({ contents }) => contents))
    for (const submission of this.#merged)
      if (!inUse.has(submission)) this.#merged.delete(submission)
  }
}

const nothing: Observed = { verdicts: [], lengths: [], arrivals: [], merged: [] }
