/** A group in the line, as the ledger knows it. */

import type {
  BisectionId,
  EventOf,
  GroupId,
  PullRequestNumber,
  TestRun,
} from '../../engine/index.ts'
import type { TargetSet } from './targets.ts'

export type LineGroup = {
  readonly id: GroupId
  /** Not yet merged, in order. */
  members: PullRequestNumber[]
  /** The impacted targets of its members, as of its last start, and all uploaded since. */
  touched: TargetSet
  /**
   * Those that it had when the code host was asked to merge it; null before. Of two that merge, neither
   * can wait for the other, whatever is uploaded.
   */
  mergesWith: TargetSet | null
  readonly isUrgent: boolean
  /**
   * The bisection that proved its members, which then only wait to be merged; null for other
   * groups.
   */
  readonly provenBy: number | null
  /** `aside`: it failed, and the groups behind leave it out (E-187). */
  status: 'waiting' | 'testing' | 'passed' | 'failed' | 'aside' | 'conflicted'
  /** The groups ahead with which it shared a target when that run started. */
  builtOn: ReadonlySet<GroupId>
  /** Its run in progress, or the run that gave its verdict. */
  run: TestRun | null
  /** The members whose merge the code host is working on. */
  merging: readonly PullRequestNumber[]
  /** A member has merged already. */
  isPartlyMerged: boolean
}

/** True if the runs of the groups behind leave the group out. Rules: E-67, E-187. */
export function isLeftOut({ status }: LineGroup): boolean {
  return status === 'conflicted' || status === 'aside'
}

/** True if it waits for a run: then only the last uploads count. Rule: E-94. */
export function isYetToStart({ status }: LineGroup): boolean {
  return status === 'waiting' || status === 'conflicted'
}

/** True if the code host merges a member, or has merged one: the group cannot wait any more. */
export function hasBegunToMerge({ merging, isPartlyMerged }: LineGroup): boolean {
  return merging.length > 0 || isPartlyMerged
}

/** The fields of a group when it enters the line. */
type NewLineGroup = Pick<LineGroup, 'id' | 'isUrgent' | 'provenBy' | 'status' | 'run'> & {
  readonly members: readonly PullRequestNumber[]
}

export function inserted(
  { group: id, members, cause, bisection }: EventOf<'groupPlaced'>,
  provenIn: ReadonlyMap<BisectionId, TestRun>,
): LineGroup {
  const provenBy = cause === 'proven' ? bisection : null
  return newGroup({
    id,
    members,
    isUrgent: cause === 'urgent',
    provenBy,
    status: cause === 'direct merge' || provenBy !== null ? 'passed' : 'waiting',
    run: provenBy === null ? null : (provenIn.get(provenBy) ?? null),
  })
}

/** What a group is built on that has no run yet. */
const nothing: ReadonlySet<GroupId> = new Set()

/** It waits, and depends on nothing by an earlier run (E-96), also if a successor clears it. */
export function restart(group: LineGroup): void {
  group.status = 'waiting'
  group.run = null
  group.builtOn = nothing
  group.isPartlyMerged = false
  group.merging = []
  group.mergesWith = null
}

export function newGroup({
  id,
  members,
  isUrgent,
  provenBy,
  status,
  run,
}: NewLineGroup): LineGroup {
  return {
    id,
    members: [...members],
    touched: 'ALL',
    mergesWith: null,
    isUrgent,
    provenBy,
    status,
    builtOn: nothing,
    run,
    merging: [],
    isPartlyMerged: false,
  }
}

/** Whether the bisection has proven the group, and it has not been restarted since. */
export function isMergingAsProven(group: LineGroup | undefined, id: BisectionId): boolean {
  return group?.provenBy === id && group.run?.owner.kind === 'bisection'
}
