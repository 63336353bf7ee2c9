/**
 * The states a pull request has been in, each with its reason, instant and test run.
 *
 * A server that knows a hundred thousand pull requests holds half a million of these steps, so in
 * memory a timeline is a flat list of numbers, three for each step.
 */

import {
  pullRequestStates,
  pullRequestTransitions,
  type Millis,
  type PullRequestState,
  type Reason,
  type TestRunId,
} from '../../engine/index.ts'

export type Timeline = number[]

export type TimelineStep = {
  readonly state: PullRequestState
  readonly reason: Reason | null
  readonly at: Millis
  /** The run that brought it about, where one did. */
  readonly testRun: TestRunId | null
}

/** A step as it is kept on disk, in words. */
export type WrittenStep = readonly [PullRequestState, Reason | null, Millis, TestRunId | null]

const reasons = [...new Set(pullRequestTransitions.flatMap((transition) => transition.reasons))]
const numbersPerStep = 3
/** Runs are numbered from 1. */
const noRun = 0

/** The timeline with one more step. Only a first step leaves the list that was given as it is. */
export function withStep(timeline: Timeline, step: TimelineStep): Timeline {
  const { state, reason, at, testRun } = step
  const words = pullRequestStates.indexOf(state) * reasons.length + reasons.indexOf(reason)
  // Many have only ever waited, and a list that is added to keeps room for five steps more.
  if (timeline.length === 0) return [words, at, testRun ?? noRun]
  timeline.push(words, at, testRun ?? noRun)
  return timeline
}

/** The instant of the last step; 0 where there is none. */
export function lastStepAt(timeline: Timeline): Millis {
  return timeline.at(-2) ?? 0
}

/** The steps, oldest first. */
export function stepsOf(timeline: Timeline): TimelineStep[] {
  const steps: TimelineStep[] = []
  for (let index = 0; index < timeline.length; index += numbersPerStep) {
    const [words = 0, at = 0, run = noRun] = timeline.slice(index, index + numbersPerStep)
    const state = pullRequestStates[Math.floor(words / reasons.length)] ?? 'NOT_READY'
    const reason = reasons[words % reasons.length] ?? null
    steps.push({ state, reason, at, testRun: run === noRun ? null : run })
  }
  return steps
}

export function writtenTimeline(timeline: Timeline): WrittenStep[] {
  return stepsOf(timeline).map(({ state, reason, at, testRun }) => [state, reason, at, testRun])
}

export function readTimeline(steps: readonly WrittenStep[]): Timeline {
  let timeline: Timeline = []
  for (const [state, reason, at, testRun] of steps) {
    timeline = withStep(timeline, { state, reason, at, testRun })
  }
  return exactly(timeline)
}

/** A copy without room to grow, which lists keep plenty of: for timelines that are over. */
export function exactly(timeline: Timeline): Timeline {
  return timeline.slice()
}
