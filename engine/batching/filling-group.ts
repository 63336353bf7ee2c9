/** A group that is to start, or a batch that is still filling. */

import type { Millis, PullRequestView } from '../model/state.ts'

export type FillingGroup = {
  /** In order. */
  readonly members: readonly PullRequestView[]
  /** It starts without waiting: it is full, or is tested alone, or nobody more can join. */
  readonly isComplete: boolean
}

/** The instant since which its longest waiting member is PENDING; Infinity for none. */
export function pendingSinceOf({ members }: FillingGroup): Millis {
  let since = Infinity
  for (const { pendingSince } of members) since = Math.min(since, pendingSince ?? Infinity)
  return since
}

/** True if it starts as soon as a slot is free: it is complete or has waited since `dueSince`. */
export const isDue = (group: FillingGroup, dueSince: Millis): boolean =>
  group.isComplete || pendingSinceOf(group) <= dueSince
