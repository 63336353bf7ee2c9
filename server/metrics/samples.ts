/**
 * What a pull request's timeline says for the metrics: how long it waited, was tested and was in
 * the queue, each with the instant at which that was known.
 */

import { isTerminal, type Millis, type TerminalState } from '../../engine/index.ts'
import type { TimelineStep } from '../history/timeline.ts'

/** Where it happened: on the main line, or in a bisection. */
export const queueTypes = ['main', 'bisection'] as const
export type QueueType = (typeof queueTypes)[number]

export type Sample = { readonly at: Millis; readonly queueType: QueueType } & (
  | { readonly what: 'wait' | 'test' | 'time in queue'; readonly ms: Millis }
  | { readonly what: 'restart' }
  | { readonly what: 'conclusion'; readonly conclusion: TerminalState }
)

type Way = {
  readonly submittedAt: Millis
  readonly queueType: QueueType
  /** Since when it waits for its first start here; null once it has had one. */
  readonly waitingSince: Millis | null
  /** Since when it is TESTING, if it is. */
  readonly testingSince: Millis | null
}

/** All of them, oldest first. */
export function* samplesOf(steps: readonly TimelineStep[]): Generator<Sample> {
  let way: Way | null = null
  for (const step of steps) {
    if (!way || step.reason === 'API_REQUESTED') {
      way = { submittedAt: step.at, queueType: 'main', waitingSince: step.at, testingSince: null }
    } else {
      yield* samplesOfStep(way, step)
      way = wayAfter(way, step)
    }
  }
}

function* samplesOfStep(way: Way, { state, at }: TimelineStep): Generator<Sample> {
  const { submittedAt, queueType, waitingSince, testingSince } = way
  if (state === 'TESTING' && waitingSince !== null) {
    yield { what: 'wait', at, queueType, ms: at - waitingSince }
  }
  if (testingSince !== null) {
    yield { what: 'test', at, queueType, ms: at - testingSince }
    if (state === 'PENDING') yield { what: 'restart', at, queueType }
  }
  if (isTerminal(state)) yield { what: 'conclusion', at, queueType, conclusion: state }
  // As the simulator has it: of those who were cancelled or failed it would say nothing.
  if (state === 'MERGED') yield { what: 'time in queue', at, queueType, ms: at - submittedAt }
}

function wayAfter(way: Way, { state, reason, at }: TimelineStep): Way {
  const testingSince = state === 'TESTING' ? at : null
  if (reason === 'BISECTION_REQUIRED') {
    return { ...way, queueType: 'bisection', waitingSince: at, testingSince }
  }
  const hasReturned = reason === 'BISECTION_TEST_RUN_PASSED'
  return {
    ...way,
    queueType: hasReturned ? 'main' : way.queueType,
    waitingSince: state === 'TESTING' ? null : way.waitingSince,
    testingSince,
  }
}
