/**
 * Groups under which something changed once their merging had begun: a member refused or gone, a
 * push, a merge by hand. What they merge is what the specification excepts from being proven,
 * until a new run has tested it.
 */

import type { Event, EventOf, GroupId } from '../../../engine/index.ts'
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
  const move = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    if (reason === 'MANUAL_MERGE') for (const group of line.groups) disturb(group)
    else if (to === 'FAILED' || to === 'CANCELLED') disturb(line.groupOf(number))
  }
  return {
    has: (group) => disturbed.has(group),
    see(event: Event) {
      if (event.type === 'pullRequestMoved') move(event)
      else if (event.type === 'tipMoved') {
        if (event.number === null) for (const group of line.groups) disturb(group)
      } else if (event.type === 'groupLeft') disturbed.delete(event.group)
      else if (event.type === 'testRunStarted') {
        const { owner } = event.run
        if (owner.kind === 'main') disturbed.delete(owner.group)
      }
    },
  }
}
