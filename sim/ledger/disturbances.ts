/**
 * Groups whose base changed after their merging had begun: the host refused a member, a member
 * left, or a push or a merge by hand changed the branch. E-111 requires no proof for the commits of
 * such a group until a new run has tested it.
 */

import type { EventOf, GroupId } from '../../engine/index.ts'
import type { Projection } from './projection.ts'
import { hasBegunToMerge, type LineGroup } from './line-group.ts'
import type { Line } from './line.ts'

export type Disturbances = Projection & {
  has(group: GroupId): boolean
}

/** Reads the line as it was before an event, so it is updated before the line. */
export function disturbances(line: Line): Disturbances {
  const disturbed = new Set<GroupId>()
  const disturb = (group: LineGroup | undefined): void => {
    if (group && hasBegunToMerge(group)) disturbed.add(group.id)
  }
  const end = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    if (reason === 'MANUAL_MERGE') for (const group of line.groups) disturb(group)
    else if (to === 'FAILED' || to === 'CANCELLED') disturb(line.groupOf(number))
  }
  return {
    has: (group) => disturbed.has(group),
    on: {
      pullRequestEnded: end,
      tipMoved({ number }) {
        if (number === null) for (const group of line.groups) disturb(group)
      },
      // The others leave it while one is being merged.
      groupSplit({ group, cause }) {
        if (cause === 'merging') disturbed.add(group)
      },
      groupLeft: ({ group }) => void disturbed.delete(group),
      testRunStarted({ run: { owner } }) {
        if (owner.kind === 'main') disturbed.delete(owner.group)
      },
    },
  }
}
