/** The groups that were split from one batch, and where in the line the next one belongs. */

import type { EventOf, GroupId, PullRequestNumber } from '../../engine/index.ts'
import type { LineGroup } from './line-group.ts'
import type { Line } from './line.ts'
import type { Projection } from './projection.ts'

type Rank = { readonly priority: number; readonly submission: number }

export type PartsOfBatches = Projection & {
  /**
   * The index at which a group split from another one belongs: directly behind it. One that leaves
   * because of a text conflict is also behind the other parts of the batch that start before it.
   */
  indexOf(event: EventOf<'groupSplit'>): number
}

/** Reads the line as it was before an event, so it is updated before the line. */
export function partsOfBatches(line: Line): PartsOfBatches {
  const ranks = new Map<PullRequestNumber, Rank>()
  /** For each part: the batch that it belonged to. */
  const batches = new Map<GroupId, GroupId>()
  let submissions = 0

  const originOf = (id: GroupId): GroupId => batches.get(id) ?? id
  const isAhead = ({ id, members }: LineGroup, leaving: EventOf<'groupSplit'>): boolean => {
    if (batches.get(id) !== originOf(leaving.group)) return false
    const [one, other] = [ranks.get(members[0] ?? 0), ranks.get(leaving.members[0] ?? 0)]
    if (!one || !other) return false
    return (one.priority - other.priority || one.submission - other.submission) < 0
  }

  return {
    indexOf(event) {
      const { groups } = line
      const whole = groups.findIndex(({ id }) => id === event.group)
      if (event.cause !== 'conflict') return whole + 1
      return (
        Math.max(
          whole,
          groups.findLastIndex((group) => isAhead(group, event)),
        ) + 1
      )
    },
    on: {
      pullRequestSubmitted: ({ number, priority }) =>
        void ranks.set(number, { priority, submission: ++submissions }),
      pullRequestRewritten({ number, priority }) {
        const rank = ranks.get(number)
        if (rank) ranks.set(number, { ...rank, priority })
      },
      pullRequestEnded: ({ number }) => void ranks.delete(number),
      groupSplit: ({ group, into }) => void batches.set(into, originOf(group)),
      groupLeft: ({ group }) => void batches.delete(group),
    },
  }
}
