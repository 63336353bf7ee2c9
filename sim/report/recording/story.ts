/** The story of one pull request, step by step. */

import type { Millis, PullRequestNumber, TerminalState } from '../../../engine/index.ts'
import type { Phase } from './phase.ts'

export type StoryStep = { readonly at: Millis; readonly sentence: string }

/** The phase of a pull request from an instant on; null after it has left the queue. */
export type PhaseChange = { readonly at: Millis; readonly phase: Phase | null }

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
