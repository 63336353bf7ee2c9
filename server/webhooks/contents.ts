/**
 * What the events of one command say to the outside.
 *
 * `testing` is told for every run that starts, to each pull request it tests: whoever makes the
 * runs must hear of each, and in a bisection most start without a change of state.
 */

import type { Event, EventOf, PullRequestState, TestRunId } from '../../engine/index.ts'
import { testRunId, type IdPrefixes } from '../yard/ids.ts'
import type { Batches } from './batches.ts'
import type { Word } from './event-types.ts'
import type { Content } from './message.ts'

type Moved = EventOf<'pullRequestMoved'>

const words: Readonly<Partial<Record<PullRequestState, Exclude<Word, 'submitted'>>>> = {
  PENDING: 'queued',
  PENDING_FAILURE: 'pending_failure',
  TESTS_PASSED: 'tests_passed',
  FAILED: 'failed',
  CANCELLED: 'canceled',
  MERGED: 'merged',
}

const reasonNames = {
  submitted: 'submitted_reason',
  queued: 'queued_reason',
  testing: 'testing_reason',
  pending_failure: 'failure_reason',
  tests_passed: 'tests_passed_reason',
  failed: 'failure_reason',
  canceled: 'cancellation_reason',
  merged: 'merged_reason',
} as const satisfies Record<Word, string>

type Told<Any extends Word = Word> = {
  readonly word: Any
  readonly reason: string | null
  readonly run: TestRunId | null
  /** Left out of what is not about testing. */
  readonly isBisection?: boolean
}

/** In company of whom: one object for all of a batch, or of a run. */
type Company = { readonly size: number }

/** Pull requests in one company to which the same happens within one command. */
type Together = {
  readonly told: Told<Exclude<Word, 'submitted'>>
  readonly company: Company
  readonly numbers: number[]
}

const alone: Company = { size: 1 }

export class PullRequestContents {
  readonly #ids: IdPrefixes
  readonly #batches: Batches
  readonly #contents: Content[] = []
  readonly #together: Together[] = []
  /** Why the runs of this command have failed. */
  readonly #failures = new Map<TestRunId, string>()

  constructor(ids: IdPrefixes, batches: Batches) {
    this.#ids = ids
    this.#batches = batches
  }

  /** Takes the events of one command, in order. Answers what there is to tell. */
  of(events: readonly Event[]): Content[] {
    for (const event of events) {
      this.#take(event)
      this.#batches.follow(event)
    }
    this.#endAll(this.#together)
    return this.#contents
  }

  #take(event: Event): void {
    if (event.type === 'pullRequestSubmitted') this.#submitted(event)
    else if (event.type === 'groupFailed') this.#failures.set(event.testRun, event.reason)
    else if (event.type === 'pullRequestMoved') this.#moved(event)
    else if (event.type === 'testRunStarted') {
      const { id: run, tested, owner } = event.run
      const isBisection = owner.kind === 'bisection'
      const company = { size: tested.length }
      for (const number of tested) {
        this.#tell(number, { word: 'testing', reason: null, run, isBisection }, company)
      }
    }
  }

  #submitted({ number, state }: EventOf<'pullRequestSubmitted'>): void {
    const reason = 'API_REQUESTED'
    this.#contents.push(this.#single(number, { word: 'submitted', reason, run: null }))
    if (state !== 'PENDING') return
    this.#contents.push(this.#single(number, { word: 'queued', reason, run: null }))
  }

  #moved({ number, to, reason, testRun }: Moved): void {
    const word = words[to]
    if (word === undefined) return
    const batch = this.#batches.of(number)
    const isBisection = batch?.isBisection ?? false
    const why = to === 'PENDING_FAILURE' ? this.#failureOf(testRun) : reason
    this.#tell(number, { word, reason: why, run: testRun, isBisection }, batch ?? alone)
  }

  #failureOf(run: TestRunId | null): string {
    // Without a run there was none to make: it conflicts with somebody ahead.
    const reason = run === null ? undefined : this.#failures.get(run)
    return reason ?? 'START_TEST_RUN_MERGE_CONFLICT'
  }

  #tell(number: number, told: Together['told'], company: Company): void {
    // What happened to it before comes first, for its batch too.
    this.#endAll(this.#together.filter(({ numbers }) => numbers.includes(number)))
    this.#contents.push(this.#single(number, told))
    if (company.size < 2) return
    const same = this.#together.find(
      (other) => other.company === company && isSame(other.told, told),
    )
    if (same) same.numbers.push(number)
    else this.#together.push({ told, company, numbers: [number] })
  }

  #endAll(ended: readonly Together[]): void {
    for (const together of [...ended]) {
      this.#together.splice(this.#together.indexOf(together), 1)
      const { told, numbers } = together
      if (numbers.length < 2) continue
      const fields = { pr_numbers: numbers, ...this.#fields(told) }
      this.#contents.push({ type: `pull_request_batch.${told.word}`, numbers, fields })
    }
  }

  #single(number: number, told: Told): Content {
    const fields = { pr_number: number, ...this.#fields(told) }
    return { type: `pull_request.${told.word}`, numbers: [number], fields }
  }

  #fields({ word, reason, run, isBisection }: Told): Content['fields'] {
    return {
      status: word,
      ...(reason === null ? {} : { [reasonNames[word]]: reason }),
      ...(run === null ? {} : { test_run_id: testRunId(this.#ids, run) }),
      ...(isBisection === undefined ? {} : { is_bisection: isBisection }),
    }
  }
}

function isSame(a: Told, b: Told): boolean {
  return a.word === b.word && a.reason === b.reason && a.run === b.run
}
