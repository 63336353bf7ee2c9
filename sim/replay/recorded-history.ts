/** The submissions, commands and test runs of a recording, from which a scenario is derived. */

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
} from '../../engine/index.ts'
import type { EndedRun } from '../result/result-projection.ts'
import { RunTracker } from '../result/run-tracker.ts'
import type { Step } from '../steps/step.ts'
import type { Recording } from './recording.ts'

/** One submission of a pull request, and its outcome. */
export type Submission = {
  readonly number: PullRequestNumber
  /** 1 for the first submission of this number. */
  readonly time: number
  readonly at: Millis
  /** Null if the submission set none. */
  readonly priority: number | null
  readonly noBatch: boolean
  /** The impacted targets known at the submission; null if none. */
  readonly targets: ImpactedTargets | null
  /** Whether it FAILED by its tests. */
  breaks: boolean
}

/** A command, and the submission in force at that instant; null if it is about the whole queue. */
export type HistoryCommand = { readonly command: Command; readonly about: Submission | null }

export type RecordedRunEnd = {
  readonly lengthMs: Millis
  readonly outcome: 'passed' | 'failed' | 'errored' | 'timed_out'
  /** The submissions in its composition, without merged ones. */
  readonly held: readonly Submission[]
}

const machineCommands: ReadonlySet<string> = new Set(['wake', 'finishTestRun', 'forget'])

/** Errors of the runner, conflicts and refused merges do not mean that the pull request breaks. */
const testReasons: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
])

type SubmittedFields = Omit<EventOf<'pullRequestSubmitted'>, 'type' | 'state'>

export class RecordedHistory {
  readonly submissions: Submission[] = []
  readonly commands: HistoryCommand[] = []
  readonly runs: RecordedRunEnd[] = []
  /** By the sequence number of the submission, by which runs refer to it. */
  readonly #bySequence = new Map<number, Submission>()
  readonly #latest = new Map<PullRequestNumber, Submission>()
  readonly #runs = new RunTracker(() => false)

  /** Pull requests that are in the queue at the start count as submitted at time 0. */
  constructor({ begin }: Recording) {
    const before = Object.values(begin.queue.pullRequests)
      .filter(({ state }) => !isTerminal(state))
      .sort((a, b) => a.submission - b.submission)
    for (const pullRequest of before) this.#submit(pullRequest, 0, begin.queue)
  }

  readonly read = ({ command, events, queue }: Step): void => {
    const number = 'number' in command ? command.number : null
    const isFirst = events.some(({ type }) => type === 'pullRequestSubmitted')
    const about = number === null ? null : this.#latest.get(number)
    // Commands up to the first submission become fields of the pull request in the scenario.
    const isByPerson = !machineCommands.has(command.type)
    if (isByPerson && about !== undefined && !isFirst) this.commands.push({ command, about })
    for (const event of events) this.#follow(event, command.at, queue)
  }

  #follow(event: Event, at: Millis, queue: QueueView): void {
    if (event.type === 'pullRequestSubmitted') this.#submit(event, at, queue)
    else if (event.type === 'pullRequestMoved') this.#move(event)
    else this.#end(this.#runs.onEvent(event, at))
  }

  #submit(submitted: SubmittedFields, at: Millis, queue: QueueView): void {
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

  #end(ended: EndedRun | null): void {
    if (!ended || ended.outcome === 'cancelled') return
    const { run, lengthMs, outcome } = ended
    const held = run.submissions.flatMap((sequence) => this.#bySequence.get(sequence) ?? [])
    this.runs.push({ lengthMs, outcome, held })
  }
}
