/**
 * Whether pull requests affect each other although they declared no target in common (S-47). In
 * parallel mode two that break, repair or conflict with each other are tested together only if they
 * share a target. If they do not, which of them fails depends on timing, and the queue cannot know.
 */

import {
  type GroupId,
  type ImpactedTargets,
  type PullRequestNumber,
  type QueueView,
  sharesTarget,
  type TestRun,
} from '../../engine/index.ts'
import type { Handlers } from '../steps/handlers.ts'
import type { Truth } from '../world/truth.ts'

export type LaneClashes = Handlers & {
  /** Whether it has started beside one that it affects, and shares no target with that one. */
  has(number: PullRequestNumber): boolean
  /** Whether the run tests such a pull request, or has it in its base. */
  isIn(run: TestRun): boolean
}

export function laneClashes(truth: Truth, queue: QueueView): LaneClashes {
  /** Impacted targets at the last start. One without an entry shares a target with every other. */
  const declared = new Map<PullRequestNumber, ImpactedTargets>()
  const clashing = new Set<PullRequestNumber>()
  const declare = (id: GroupId | undefined): void => {
    const group = queue.groups[id ?? 0]
    if (!group) return
    const targets = queue.configuration.mode === 'single' ? 'ALL' : group.targets
    for (const number of group.members) {
      declared.set(number, targets)
      for (const other of truth.relativesOf(number)) {
        if (!sharesTarget(targets, declared.get(other) ?? 'ALL')) clashing.add(number).add(other)
      }
    }
  }
  const has = (number: PullRequestNumber): boolean => clashing.has(number)
  return {
    has,
    isIn: ({ base, tested }) => base.some(has) || tested.some(has),
    atEach(event) {
      const { type } = event
      if (type === 'groupPlaced' || type === 'groupRestarted') declare(event.group)
      // A member that left may have been the one with all targets.
      else if (type === 'testRunStarted') {
        if (event.run.owner.kind === 'main') declare(event.run.owner.group)
      } else if (type === 'impactedTargetsSet') {
        const home = queue.pullRequests[event.number]?.home
        if (home?.in === 'group') declare(home.group)
      } else if (type === 'groupSplit') {
        declare(event.group)
        declare(event.into)
      }
    },
  }
}
