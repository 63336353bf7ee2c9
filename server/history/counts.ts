/**
 * Counters of a queue since it was created. They are part of its history, so a restart resets nothing,
 * and every server that knows the same log counts the same.
 */

import {
  isTerminal,
  type Event,
  type Millis,
  type TestRun,
  type TestRunId,
  type TerminalState,
} from '../../engine/index.ts'
import { stepsOf, type Timeline, type TimelineStep } from './timeline.ts'

/** Counts by metric and label values. */
export class Counts {
  readonly #counts: Map<string, number>

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(counts)
  }

  /** A copy that later counts do not change. */
  copy(): Counts {
    return new Counts(this.#counts)
  }

  entries(): readonly (readonly [string, number])[] {
    return [...this.#counts]
  }

  add(...labelNames: readonly string[]): void {
    const key = labelNames.join(' ')
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  of(...labelNames: readonly string[]): number {
    return this.#counts.get(labelNames.join(' ')) ?? 0
  }
}

/** The parts of a history that the counters need. */
type Counted = {
  readonly counts: Counts
  readonly testRuns: ReadonlyMap<TestRunId, { readonly kind: TestRun['owner']['kind'] }>
  readonly pullRequests: ReadonlyMap<number, { readonly timeline: Timeline }>
}

/** Counts the events of a command that the history has taken note of. */
export function countEvents(history: Counted, at: Millis, events: readonly Event[]): void {
  for (const event of events) count(history, at, event)
}

function count(history: Counted, at: Millis, event: Event): void {
  const { counts } = history
  if (event.type === 'testRunFinished') {
    counts.add('test run', kindOf(history, event.testRun), event.outcome)
  } else if (event.type === 'testRunCancelled') {
    counts.add('test run', kindOf(history, event.testRun), 'cancelled')
  } else if (event.type === 'testRunSaved') {
    counts.add('saved', 'bisection')
  } else if (event.type === 'pullRequestMoved' && isTerminal(event.to) && event.reason) {
    const queueType = concludedIn(history, event.number, at)
    counts.add('pull request', queueType, event.to.toLowerCase(), event.reason)
  }
}

function kindOf({ testRuns }: Counted, run: TestRunId): QueueType {
  return testRuns.get(run)?.kind === 'bisection' ? 'bisection' : 'main'
}

/** The type of queue in which it was when it left. */
function concludedIn({ pullRequests }: Counted, number: number, at: Millis): QueueType {
  const timeline = pullRequests.get(number)?.timeline ?? []
  const conclusion = [...samplesOf(stepsOf(timeline))].findLast(
    (sample) => sample.what === 'conclusion' && sample.at === at,
  )
  return conclusion?.queueType ?? 'main'
}

// Samples for the metrics, from the timeline of a pull request: how long it waited, was tested and
// was in the queue, each with the instant at which the time ended.

/** Whether a sample belongs to the main line or to a bisection. */
export const queueTypes = ['main', 'bisection'] as const
export type QueueType = (typeof queueTypes)[number]

export type Sample = { readonly at: Millis; readonly queueType: QueueType } & (
  | { readonly what: 'wait' | 'test' | 'time in queue'; readonly ms: Millis }
  | { readonly what: 'restart' }
  | { readonly what: 'conclusion'; readonly conclusion: TerminalState }
)

type PullRequestProgress = {
  readonly submittedAt: Millis
  readonly queueType: QueueType
  /** Start of its wait for the first run of this queue type; null once that run has started. */
  readonly waitingSince: Millis | null
  /** Since when it is TESTING; null in other states. */
  readonly testingSince: Millis | null
}

/** The samples of a timeline, oldest first. */
export function* samplesOf(steps: readonly TimelineStep[]): Generator<Sample> {
  let progress: PullRequestProgress | null = null
  for (const step of steps) {
    if (!progress || step.reason === 'API_REQUESTED') {
      progress = {
        submittedAt: step.at,
        queueType: 'main',
        waitingSince: step.at,
        testingSince: null,
      }
    } else {
      yield* samplesOfStep(progress, step)
      progress = progressAfter(progress, step)
    }
  }
}

function* samplesOfStep(
  progress: PullRequestProgress,
  { state, at }: TimelineStep,
): Generator<Sample> {
  const { submittedAt, queueType, waitingSince, testingSince } = progress
  if (state === 'TESTING' && waitingSince !== null) {
    yield { what: 'wait', at, queueType, ms: at - waitingSince }
  }
  if (testingSince !== null) {
    yield { what: 'test', at, queueType, ms: at - testingSince }
    if (state === 'PENDING') yield { what: 'restart', at, queueType }
  }
  if (isTerminal(state)) yield { what: 'conclusion', at, queueType, conclusion: state }
  // Only for merges, as in the simulator: for other conclusions the time means nothing.
  if (state === 'MERGED') yield { what: 'time in queue', at, queueType, ms: at - submittedAt }
}

function progressAfter(
  progress: PullRequestProgress,
  { state, reason, at }: TimelineStep,
): PullRequestProgress {
  const testingSince = state === 'TESTING' ? at : null
  if (reason === 'BISECTION_REQUIRED') {
    return { ...progress, queueType: 'bisection', waitingSince: at, testingSince }
  }
  const hasReturned = reason === 'BISECTION_TEST_RUN_PASSED'
  return {
    ...progress,
    queueType: hasReturned ? 'main' : progress.queueType,
    waitingSince: state === 'TESTING' ? null : progress.waitingSince,
    testingSince,
  }
}
