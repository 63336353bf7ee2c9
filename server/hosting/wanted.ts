/** What the durable state of a queue wants to be true outside: its runs, and its merge. */

import {
  beingMerged,
  type GroupId,
  type PullRequestNumber,
  type QueueView,
  type TestRun,
} from '../../engine/index.ts'

export type WantedMerge = {
  readonly group: GroupId
  /** They land in one push, in this order. */
  readonly numbers: readonly PullRequestNumber[]
}

export type Wanted = {
  readonly runs: readonly TestRun[]
  /** In the order of the line. Each one needs the commit that the one before it made. */
  readonly merges: readonly WantedMerge[]
}

/** Level-triggered: whatever was missed by a crash or an error is wanted still. */
export function wantedOf(queue: QueueView): Wanted {
  const merges = queue.line.flatMap((id) => {
    const group = queue.groups[id]
    const numbers = group ? beingMerged(group) : []
    return numbers.length > 0 ? [{ group: id, numbers }] : []
  })
  return { runs: Object.values(queue.testRuns), merges }
}
