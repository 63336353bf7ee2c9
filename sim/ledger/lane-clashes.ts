/**
 * Whether pull requests affect each other although they declared no target in common (S-47). In
 * parallel mode two that break, repair or conflict with each other are tested together only if they
 * share a target. If they do not, which of them fails depends on timing, and the queue cannot know.
 */

import type { GroupId, PullRequestNumber, TestRun } from '../../engine/index.ts'
import type { Truth } from '../world/truth.ts'
import type { Projection } from './projection.ts'
import type { Line } from './line.ts'
import { shareTarget, type TargetSet } from './targets.ts'

export type LaneClashes = Projection & {
  /** Whether it has started beside one that it affects, and shares no target with that one. */
  has(number: PullRequestNumber): boolean
  /** Whether the run tests such a pull request, or has it in its base. */
  isIn(run: TestRun): boolean
}

/** Reads the line as it is after an event, so it is updated after the line. */
export function laneClashes(truth: Truth, line: Line): LaneClashes {
  /** Impacted targets at the last start, of pull requests that affect others. */
  const declared = new Map<PullRequestNumber, TargetSet>()
  const clashing = new Set<PullRequestNumber>()

  const declare = (id: GroupId): void => {
    const group = line.group(id)
    if (!group) return
    const { touched } = group
    if (touched === 'ALL') {
      // It shares a target with every other. A pull request without an entry counts the same way.
      for (const number of group.members) declared.delete(number)
      return
    }
    for (const number of group.members) {
      const related = truth.relativesOf(number)
      if (related.length === 0) continue
      declared.set(number, touched)
      for (const other of related) {
        if (shareTarget(touched, declared.get(other) ?? 'ALL')) continue
        clashing.add(number).add(other)
      }
    }
  }

  const has = (number: PullRequestNumber): boolean => clashing.has(number)

  return {
    has,
    isIn: ({ base, tested }) => base.some(has) || tested.some(has),
    on: {
      groupPlaced: ({ group }) => declare(group),
      groupRestarted: ({ group }) => declare(group),
      // A member that left may have been the one with all targets.
      testRunStarted({ run: { owner } }) {
        if (owner.kind === 'main') declare(owner.group)
      },
      impactedTargetsSet({ number }) {
        const group = line.groupOf(number)
        if (group) declare(group.id)
      },
      groupSplit({ group, into }) {
        declare(group)
        declare(into)
      },
    },
  }
}
