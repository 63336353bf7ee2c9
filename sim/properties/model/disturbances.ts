/**
 * Groups under which something changed once their merging had begun: a member refused or gone, a
 * push, a merge by hand. What they merge is what the specification excepts from being proven,
 * until a new run has tested it.
 */

import type { EventOf, GroupId } from '../../../engine/index.ts'
import type { Book } from './book.ts'
import type { Line, LineGroup } from './line.ts'

export type Disturbances = Book & {
  has(group: GroupId): boolean
}

/** Reads the line as it was before an event: the line must see it after this book. */
export function disturbances(line: Line): Disturbances {
  const disturbed = new Set<GroupId>()
  const disturb = (group: LineGroup | undefined): void => {
    if (group && (group.hasBegun || group.merging !== null)) disturbed.add(group.id)
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
      groupLeft: ({ group }) => void disturbed.delete(group),
      testRunStarted({ run: { owner } }) {
        if (owner.kind === 'main') disturbed.delete(owner.group)
      },
    },
  }
}
