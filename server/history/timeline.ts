/**
 * The states that a pull request has been in, each with its reason, instant and test run.
 *
 * With a hundred thousand pull requests there are half a million steps. To save memory, a timeline
 * is a flat list of numbers, three for each step.
 */

import {
  type Millis,
  type PullRequestState,
  type Reason,
  type TestRunId,
  pullRequestStates,
  pullRequestTransitions,
  type Event,
  type EventOf,
  type PullRequestNumber,
} from '../../engine/index.ts'

export type Timeline = number[]

export type TimelineStep = {
  readonly state: PullRequestState
  readonly reason: Reason | null
  readonly at: Millis
  /** The run that caused the step; null if none did. */
  readonly testRun: TestRunId | null
  /** The name of the token whose command caused it; null if time did, or nobody knows. */
  readonly by: string | null
  /** The one ahead because of which it waits again or leaves; absent: none, or nobody can be named. No run caused it. */
  readonly ahead?: Ahead
}

/** A step in its readable form on disk. */
export type WrittenStep = readonly [
  PullRequestState,
  Reason | null,
  Millis,
  TestRunId | null,
  by?: string | null,
  ahead?: Ahead,
]

const reasons = [...new Set(pullRequestTransitions.flatMap((transition) => transition.reasons))]
/** The number of different pairs of state and reason. */
const moves = pullRequestStates.length * reasons.length
const numbersPerStep = 3
/** Runs are numbered from 1. */
const noRun = 0

// In place of a run, below zero: the number of the one ahead, times two, and one more if it is in a batch.

function runOrAhead({ testRun, ahead }: TimelineStep): number {
  if (testRun !== null || !ahead) return testRun ?? noRun
  return -(2 * ahead.number + (ahead.inBatch ? 1 : 0))
}

function aheadIn(run: number): { ahead?: Ahead } {
  if (run >= 0) return {}
  const number = Math.floor(-run / 2)
  return { ahead: run % 2 === 0 ? { number } : { number, inBatch: true } }
}

/** Returns the timeline with one more step. Changes `timeline` itself, unless it is empty. */
export function withStep(timeline: Timeline, step: TimelineStep): Timeline {
  const { state, reason, at, by } = step
  const move = pullRequestStates.indexOf(state) * reasons.length + reasons.indexOf(reason)
  const code = numberOfToken(by) * moves + move
  // Many timelines never get a second step, and `push` would reserve space for five more.
  if (timeline.length === 0) return [code, at, runOrAhead(step)]
  timeline.push(code, at, runOrAhead(step))
  return timeline
}

/** The instant of the last step; 0 if there is none. */
export function lastStepAt(timeline: Timeline): Millis {
  return timeline.at(-2) ?? 0
}

/** The steps, oldest first. */
export function stepsOf(timeline: Timeline): TimelineStep[] {
  const steps: TimelineStep[] = []
  for (let index = 0; index < timeline.length; index += numbersPerStep) {
    const [code = 0, at = 0, run = noRun] = timeline.slice(index, index + numbersPerStep)
    const move = code % moves
    const state = pullRequestStates[Math.floor(move / reasons.length)] ?? 'NOT_READY'
    const reason = reasons[move % reasons.length] ?? null
    const by = tokenOfNumber(Math.floor(code / moves))
    steps.push({ state, reason, at, testRun: run > noRun ? run : null, by, ...aheadIn(run) })
  }
  return steps
}

export function writtenTimeline(timeline: Timeline): WrittenStep[] {
  return stepsOf(timeline).map(({ state, reason, at, testRun, by, ahead }) => {
    if (ahead) return [state, reason, at, testRun, by, ahead]
    return by === null ? [state, reason, at, testRun] : [state, reason, at, testRun, by]
  })
}

export function readTimeline(steps: readonly WrittenStep[]): Timeline {
  let timeline: Timeline = []
  for (const [state, reason, at, testRun, by = null, ahead] of steps) {
    const step = { state, reason, at, testRun, by, ...(ahead ? { ahead } : {}) }
    timeline = withStep(timeline, step)
  }
  return exactly(timeline)
}

/** A copy without the spare capacity of a grown list, for timelines that are complete. */
export function exactly(timeline: Timeline): Timeline {
  return timeline.slice()
}

// Names of tokens are small numbers, because half a million steps of timelines name one. The numbers
// exist in memory only; the disk has the names.
const names: (string | null)[] = [null]
const numbers = new Map<string | null, number>([[null, 0]])

/** 0 if no token is named. */
function numberOfToken(name: string | null): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  numbers.set(name, names.length)
  return names.push(name) - 1
}

function tokenOfNumber(number: number): string | null {
  return names[number] ?? null
}

// Which pull request ahead makes another one wait again or leave, as the events of one command tell.

export type Ahead = {
  readonly number: PullRequestNumber
  /** The run of a batch with it has failed, and a bisection looks whose fault that is. */
  readonly inBatch?: true
}

/** The reasons that are about one ahead. */
type AheadReason = Extract<Reason, `PREREQUISITE_${string}`>

/** Follows the events of one command, in their order. */
export class AheadOf {
  readonly #last = new Map<AheadReason, Ahead>()

  /** Undefined: the event is not about one ahead, or nobody can be named. */
  follow(event: Event): Ahead | undefined {
    if (event.type === 'bisectionStarted') {
      const [number = 0, ...others] = event.members
      const isOfBatch = others.length > 0 || (event.others ?? 0) > 0
      const batch = isOfBatch ? ({ inBatch: true } as const) : {}
      this.#last.set('PREREQUISITE_MERGE_ITEM_FAILED', { number, ...batch })
    }
    return event.type === 'pullRequestMoved' ? this.#moved(event) : undefined
  }

  #moved({ number, to, reason, testRun, leftWith }: EventOf<'pullRequestMoved'>) {
    const isAbout =
      reason === 'PREREQUISITE_MERGE_ITEM_FAILED' || reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED'
    const last = isAbout ? this.#last.get(reason) : undefined
    const ahead = isAbout && leftWith !== undefined ? { number: leftWith } : last
    // One that conflicts with another is left out of the runs behind it.
    if (to === 'FAILED' || (to === 'PENDING_FAILURE' && testRun === null)) {
      this.#last.set('PREREQUISITE_MERGE_ITEM_FAILED', { number })
    }
    if (to === 'CANCELLED') this.#last.set('PREREQUISITE_MERGE_ITEM_CANCELLED', { number })
    return ahead
  }
}
