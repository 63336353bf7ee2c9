/** The story of one pull request, step by step. */

import {
  isTerminal,
  type Event,
  type PullRequestNumber,
  type PullRequestView,
  type Millis,
  type TerminalState,
} from '../../../engine/index.ts'

// The phase of a pull request, which is its colour in a report.

/** The phases, in the usual order; `held` and `bisecting` occur only after a failure. */
export const phases = ['notReady', 'waiting', 'testing', 'passed', 'held', 'bisecting'] as const
export type Phase = (typeof phases)[number]

/** The names and colours of the phases in all parts of a report. */
export const phaseStyles: Readonly<Record<Phase, { color: string; means: string }>> = {
  testing: { color: 'testing', means: 'under test' },
  passed: { color: 'passed', means: 'passed, waits for predecessors' },
  held: { color: 'held', means: 'failed, not final yet' },
  bisecting: { color: 'bisecting', means: 'in a bisection' },
  waiting: { color: 'waiting', means: 'waits for a run' },
  notReady: { color: 'line', means: 'not ready' },
}

export function phaseOf(pullRequest: PullRequestView | undefined): Phase | null {
  if (!pullRequest || isTerminal(pullRequest.state)) return null
  if (pullRequest.home.in === 'bisection') return 'bisecting'
  switch (pullRequest.state) {
    case 'NOT_READY':
      return 'notReady'
    case 'PENDING':
      return 'waiting'
    case 'TESTING':
      return 'testing'
    case 'TESTS_PASSED':
      return 'passed'
    case 'PENDING_FAILURE':
      return 'held'
  }
}

/** Returns the pull requests whose phase the event may have changed. */
export function movedBy(event: Event): readonly PullRequestNumber[] {
  if (event.type === 'pullRequestSubmitted' || event.type === 'pullRequestMoved') {
    return [event.number]
  }
  return event.type === 'groupPlaced' || event.type === 'bisectionStarted' ? event.members : []
}

export type StoryStep = { readonly at: Millis; readonly sentence: string }

/** The phase of a pull request from an instant on; null after it has left the queue. */
type PhaseChange = { readonly at: Millis; readonly phase: Phase | null }

/** Facts about the outcome that only the simulator knows or measures. */
export const remarks = {
  evicted: 'healthy, but evicted',
  clashed: 'broke together with one that came first',
  bad: 'broke the branch',
  unproven: 'merged, but no run had passed on exactly this tree',
} as const
export type Remark = keyof typeof remarks

export type PullRequestStory = {
  readonly number: PullRequestNumber
  readonly steps: StoryStep[]
  readonly phaseChanges: PhaseChange[]
  readonly remarks: Set<Remark>
  end: TerminalState | null
  /** Of its last submission. */
  dependsOn: readonly PullRequestNumber[]
  /** The number of steps that were not kept. */
  omitted: number
}

/** A pull request that restarts endlessly must not fill the memory. */
const mostSteps = 200

export function newStory(number: PullRequestNumber): PullRequestStory {
  const none = { steps: [], phaseChanges: [], dependsOn: [] }
  return { number, ...none, remarks: new Set(), end: null, omitted: 0 }
}

export function addStep(story: PullRequestStory, at: Millis, sentence: string): void {
  if (story.steps.length < mostSteps) story.steps.push({ at, sentence })
  else story.omitted++
}

export function addPhaseChange(story: PullRequestStory, at: Millis, phase: Phase | null): void {
  const last = story.phaseChanges.at(-1)
  if (last?.phase === phase || (!last && phase === null)) return
  if (last?.at === at) story.phaseChanges.pop()
  if (story.phaseChanges.length < mostSteps) story.phaseChanges.push({ at, phase })
}

/** A time in a phase, or in the queue. */
export type Span = { readonly from: Millis; readonly to: Millis }

/** The times in such phases: several if the pull request came back. An open one lasts until `end`. */
export function spansOf(
  { phaseChanges }: PullRequestStory,
  end: Millis,
  isOne: (phase: Phase) => boolean,
): Span[] {
  return phaseChanges.flatMap(({ at, phase }, index) =>
    phase !== null && isOne(phase) ? [{ from: at, to: phaseChanges[index + 1]?.at ?? end }] : [],
  )
}
