/** What a recording shows of pull requests and test runs, for a scenario to be made of. */

import {
  isTerminal,
  type Command,
  type Event,
  type EventOf,
  type ImpactedTargets,
  type Millis,
  type PullRequestNumber,
  type QueueView,
  type Reason,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import type { Recording } from './recording.ts'

/** One submission of a pull request, to its end. */
export type Submission = {
  readonly number: PullRequestNumber
  /** 1 for the first of this number. */
  readonly time: number
  readonly at: Millis
  /** Null where none was asked for. */
  readonly priority: number | null
  readonly noBatch: boolean
  /** As far as they were known by then. */
  readonly targets: ImpactedTargets | null
  /** Found to break: FAILED, and by its tests. */
  breaks: boolean
}

/** What was told about the submission that counts at that instant; null for the queue as a whole. */
export type ToldOf = { readonly command: Command; readonly about: Submission | null }

export type EndedRun = {
  readonly lengthMs: Millis
  readonly outcome: 'passed' | 'failed' | 'errored' | 'timed_out'
  /** The submissions it held, merged ones aside. */
  readonly held: readonly Submission[]
}

/** A runner's errors say nothing about the pull request, nor do conflicts and refused merges. */
const testReasons: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
])

type Submitted = Omit<EventOf<'pullRequestSubmitted'>, 'type' | 'state'>

export class Witness {
  readonly submissions: Submission[] = []
  readonly told: ToldOf[] = []
  readonly runs: EndedRun[] = []
  /** By the sequence number of the submission, as runs name it. */
  readonly #bySequence = new Map<number, Submission>()
  readonly #latest = new Map<PullRequestNumber, Submission>()
  readonly #underWay = new Map<TestRunId, TestRun>()

  /** Who was in the queue already is as good as submitted when the recording begins. */
  constructor({ begin }: Recording) {
    const before = Object.values(begin.queue.pullRequests)
      .filter(({ state }) => !isTerminal(state))
      .sort((a, b) => a.submission - b.submission)
    for (const pullRequest of before) this.#submit(pullRequest, 0, begin.queue)
  }

  readonly read = ({ command, events, queue }: Moment): void => {
    const number = 'number' in command ? command.number : null
    const isFirst = events.some(({ type }) => type === 'pullRequestSubmitted')
    const about = number === null ? null : this.#latest.get(number)
    // What came before the first submission is part of that; so is the submission itself.
    const isPeoples = command.type !== 'wake' && command.type !== 'finishTestRun'
    if (isPeoples && about !== undefined && !isFirst) this.told.push({ command, about })
    for (const event of events) this.#see(event, command.at, queue)
  }

  #see(event: Event, at: Millis, queue: QueueView): void {
    if (event.type === 'pullRequestSubmitted') this.#submit(event, at, queue)
    else if (event.type === 'pullRequestMoved') this.#move(event)
    else if (event.type === 'testRunStarted') this.#underWay.set(event.run.id, event.run)
    else if (event.type === 'testRunFinished') this.#end(event, at)
    else if (event.type === 'testRunCancelled') this.#underWay.delete(event.testRun)
  }

  #submit(submitted: Submitted, at: Millis, queue: QueueView): void {
    const { number, submission: sequence, priority, priorityAsked, noBatch } = submitted
    const submission: Submission = {
      number,
      time: (this.#latest.get(number)?.time ?? 0) + 1,
      at,
      priority: priorityAsked ? priority : null,
      noBatch,
      targets: queue.impactedTargets[number] ?? null,
      breaks: false,
    }
    this.submissions.push(submission)
    this.#latest.set(number, submission)
    this.#bySequence.set(sequence, submission)
  }

  #move({ number, to, reason }: EventOf<'pullRequestMoved'>): void {
    const submission = this.#latest.get(number)
    if (submission && to === 'FAILED') submission.breaks = testReasons.has(reason)
  }

  #end({ testRun, outcome }: EventOf<'testRunFinished'>, at: Millis): void {
    const run = this.#underWay.get(testRun)
    if (!run) return
    this.#underWay.delete(testRun)
    const held = run.submissions.flatMap((sequence) => this.#bySequence.get(sequence) ?? [])
    this.runs.push({ lengthMs: at - run.startedAt, outcome, held })
  }
}
