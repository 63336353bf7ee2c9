/**
 * What one queue remembers beyond the engine's state: the way of each pull request, every test run
 * ever started, and who left in which order. A pure fold of the queue's commands and events, so a
 * replay gives the same; it goes when the queue is deleted.
 */

import {
  isTerminal,
  type Event,
  type Millis,
  type PullRequestNumber,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import type { EngineCommand } from '../yard/commands.ts'
import { exactly, withStep, type Timeline, type TimelineStep } from './timeline.ts'

type PullRequestPast = {
  /** The head commit last told; empty where nobody did. */
  sha: string
  timeline: Timeline
  /** Index of its latest conclusion; null while it is in the queue, or was never. */
  concludedAs: number | null
}

export type RunOutcome = 'passed' | 'failed' | 'errored' | 'timed_out' | 'cancelled'

export type PastRun = {
  readonly kind: TestRun['owner']['kind']
  /** Unmerged pull requests below those it speaks for. */
  readonly base: readonly PullRequestNumber[]
  readonly tested: readonly PullRequestNumber[]
  readonly startedAt: Millis
  /** Null while it is under way. */
  outcome: RunOutcome | null
  /** Where a person can look at it; empty where nobody told. */
  url: string
}

export type QueueHistory = {
  readonly pullRequests: Map<PullRequestNumber, PullRequestPast>
  readonly testRuns: Map<TestRunId, PastRun>
  /** Pull requests in the order in which they left; one that came back counts where it left last. */
  readonly conclusions: PullRequestNumber[]
}

export function emptyHistory(): QueueHistory {
  return { pullRequests: new Map(), testRuns: new Map(), conclusions: [] }
}

/** Takes one command and what came of it into the history. */
export function remember(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis },
  events: readonly Event[],
): void {
  rememberTold(history, command)
  for (const event of events) rememberEvent(history, command.at, event)
}

function rememberTold(history: QueueHistory, command: EngineCommand): void {
  if (command.type === 'submitPullRequest' || command.type === 'setImpactedTargets') {
    if (command.sha !== undefined) pastOf(history, command.number).sha = command.sha
  } else if (command.type === 'finishTestRun' && command.url !== undefined) {
    const run = history.testRuns.get(command.testRun)
    if (run) run.url = command.url
  }
}

const none: readonly PullRequestNumber[] = []

function rememberEvent(history: QueueHistory, at: Millis, event: Event): void {
  if (event.type === 'pullRequestSubmitted') {
    const { number, state } = event
    const past = pastOf(history, number)
    past.concludedAs = null
    past.timeline = withStep(past.timeline, { state, reason: 'API_REQUESTED', at, testRun: null })
  } else if (event.type === 'pullRequestMoved') {
    const { number, to, reason, testRun } = event
    rememberStep(history, number, { state: to, reason, at, testRun })
  } else if (event.type === 'testRunStarted') {
    const { id, owner, base, tested, startedAt } = event.run
    // Copies without room to grow: there will be many of them.
    const below = base.length === 0 ? none : base.slice()
    const spokenFor = tested.slice()
    const run = {
      kind: owner.kind,
      base: below,
      tested: spokenFor,
      startedAt,
      outcome: null,
      url: '',
    }
    history.testRuns.set(id, run)
  } else if (event.type === 'testRunFinished') {
    endRun(history, event.testRun, event.outcome)
  } else if (event.type === 'testRunCancelled') {
    endRun(history, event.testRun, 'cancelled')
  }
}

function rememberStep(history: QueueHistory, number: number, step: TimelineStep): void {
  const past = pastOf(history, number)
  past.timeline = withStep(past.timeline, step)
  if (!isTerminal(step.state)) return
  past.timeline = exactly(past.timeline)
  past.concludedAs = history.conclusions.length
  history.conclusions.push(number)
}

function endRun(history: QueueHistory, id: TestRunId, outcome: RunOutcome): void {
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
