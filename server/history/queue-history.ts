/**
 * The history of one queue, beyond the state of its engine: the timeline of each pull request,
 * every test run ever started, and the order in which pull requests left. It is a pure fold of the
 * queue's commands and events, so a replay gives the same history. It is deleted with the queue.
 */

import {
  isTerminal,
  type Actor,
  type EngineCommand,
  type Event,
  type Millis,
  type PullRequestNumber,
  type TestRunId,
} from '../../engine/index.ts'
import { Conclusions } from './conclusions.ts'
import { dropForgotten, forgetPullRequest, noteReport } from './forgetting.ts'
import type { PastRunOutcome, PullRequestPast, QueueHistory } from './records.ts'
import { exactly, withStep, type TimelineStep } from './timeline.ts'

export type { PastRun, PastRunOutcome, QueueHistory } from './records.ts'

export function emptyHistory(): QueueHistory {
  return {
    pullRequests: new Map(),
    testRuns: new Map(),
    conclusions: new Conclusions(),
    reported: new Map(),
    notices: 0,
  }
}

/** Adds one command and its events to the history. */
export function remember(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis; readonly by?: Actor },
  events: readonly Event[],
): void {
  rememberReported(history, command)
  const { at, by } = command
  for (const event of events) rememberEvent(history, { at, by: by?.token ?? null }, event)
  if (command.type === 'forget') dropForgotten(history)
}

function rememberReported(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis },
): void {
  if (command.type === 'setImpactedTargets') noteReport(history, command.number, command.at)
  if (command.type === 'submitPullRequest' || command.type === 'setImpactedTargets') {
    if (command.sha !== undefined) pastOf(history, command.number).sha = command.sha
  } else if (command.type === 'finishTestRun' && command.url !== undefined) {
    const run = history.testRuns.get(command.testRun)
    if (run) run.url = command.url
  }
}

const none: readonly PullRequestNumber[] = []

/** When it happened, and the name of the token that caused it. */
type Cause = Pick<TimelineStep, 'at' | 'by'>

function rememberEvent(history: QueueHistory, cause: Cause, event: Event): void {
  if (event.type === 'pullRequestSubmitted') {
    const { number, state } = event
    const past = pastOf(history, number)
    past.concludedAs = null
    history.reported.delete(number)
    const step = { state, reason: 'API_REQUESTED', testRun: null, ...cause } as const
    past.timeline = withStep(past.timeline, step)
  } else if (event.type === 'pullRequestMoved') {
    const { number, to, reason, testRun } = event
    rememberStep(history, number, { state: to, reason, testRun, ...cause })
  } else if (event.type === 'restartRequested') {
    const { number, state } = event
    const reason = 'TESTS_RESTARTED_BY_API_REQUEST'
    rememberStep(history, number, { state, reason, testRun: null, ...cause })
  } else if (event.type === 'testRunStarted') {
    const { id, owner, base, tested, startedAt } = event.run
    // Copies have no spare capacity, which matters because there are many of them.
    const run = {
      kind: owner.kind,
      base: base.length === 0 ? none : base.slice(),
      tested: tested.slice(),
      startedAt,
      outcome: null,
      url: '',
    }
    history.testRuns.set(id, run)
  } else if (event.type === 'testRunFinished') {
    endRun(history, event.testRun, event.outcome)
  } else if (event.type === 'testRunCancelled') {
    endRun(history, event.testRun, 'cancelled')
  } else if (event.type === 'pullRequestForgotten') {
    forgetPullRequest(history, event.number)
  }
}

function rememberStep(history: QueueHistory, number: number, step: TimelineStep): void {
  const past = pastOf(history, number)
  past.timeline = withStep(past.timeline, step)
  if (!isTerminal(step.state)) return
  past.timeline = exactly(past.timeline)
  past.concludedAs = history.conclusions.add(number)
}

function endRun(history: QueueHistory, id: TestRunId, outcome: PastRunOutcome): void {
  const run = history.testRuns.get(id)
  if (run) run.outcome = outcome
}

function pastOf(history: QueueHistory, number: PullRequestNumber): PullRequestPast {
  const known = history.pullRequests.get(number)
  if (known) return known
  const past: PullRequestPast = { sha: '', timeline: [], concludedAs: null }
  history.pullRequests.set(number, past)
  return past
}
