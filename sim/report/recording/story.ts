/** What happened to one pull request, step by step. */

import type { Millis, PullRequestNumber, TerminalState } from '../../../engine/index.ts'
import type { Phase } from './phase.ts'

export type StoryStep = { readonly at: Millis; readonly sentence: string }

/** Where it stood from an instant on; null once it has left the queue. */
export type Stay = { readonly at: Millis; readonly phase: Phase | null }

/** What only the world knows of how it ended, or what nobody else tells. */
export const remarks = {
  evicted: 'healthy, and evicted all the same',
  bad: 'broke the branch',
  unproven: 'merged though no run had passed this very tree',
} as const
export type Remark = keyof typeof remarks

export type Story = {
  readonly number: PullRequestNumber
  readonly steps: StoryStep[]
  readonly stays: Stay[]
  readonly remarks: Set<Remark>
  end: TerminalState | null
  /** Steps that were one too many to keep. */
  untold: number
}

/** One that restarts for ever must not fill the memory. */
const mostSteps = 200

export function newStory(number: PullRequestNumber): Story {
  return { number, steps: [], stays: [], remarks: new Set(), end: null, untold: 0 }
}

export function addStep(story: Story, at: Millis, sentence: string): void {
  if (story.steps.length < mostSteps) story.steps.push({ at, sentence })
  else story.untold++
}

export function addStay(story: Story, at: Millis, phase: Phase | null): void {
  const last = story.stays.at(-1)
  if (last?.phase === phase || (!last && phase === null)) return
  if (last?.at === at) story.stays.pop()
  if (story.stays.length < mostSteps) story.stays.push({ at, phase })
}
