/** The depth of the queue on one day, from the stories of its pull requests. */

import type { Millis } from '../../../engine/index.ts'
import { Depth, type DepthStep } from './depth.ts'
import type { Phase } from './phase.ts'
import type { PullRequestStory } from './story.ts'

/** Returns the steps from `from` to `to`. The stories must be those of all pull requests. */
export function depthBetween(
  stories: readonly PullRequestStory[],
  { from, to }: { readonly from: Millis; readonly to: Millis },
): DepthStep[] {
  const changes = stories
    .flatMap(({ number, phaseChanges }) =>
      phaseChanges.map(({ at, phase }) => ({ number, at: Math.max(at, from), phase })),
    )
    .filter(({ at }) => at < to)
    .sort((a, b) => a.at - b.at)
  const depth = new Depth(from)
  const before = new Map<number, Phase | null>()
  for (const [index, { number, at, phase }] of changes.entries()) {
    depth.move(before.get(number) ?? null, phase)
    before.set(number, phase)
    // All that changes at one instant changes together.
    if (changes[index + 1]?.at !== at) depth.note(at)
  }
  return depth.stepsUntil(to)
}
