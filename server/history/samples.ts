/**
 * Samples for the metrics, from the timeline of a pull request: how long it waited, was tested and
 * was in the queue, each with the instant at which the time ended.
 */

import { isTerminal, type Millis, type TerminalState } from '../../engine/index.ts'
import type { TimelineStep } from './timeline.ts'

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
