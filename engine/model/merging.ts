/** Which members of a group the code host is merging. Rules: E-46, E-47, E-219. */

import type { GroupView, PullRequestNumber } from './state.ts'

/**
 * The members that the code host has been asked to merge and has not answered for: the first one,
 * or all of them where a group lands as one push.
 */
export function beingMerged({ members, phase }: GroupView): readonly PullRequestNumber[] {
  if (phase.kind !== 'passed' || phase.merging === null) return []
  return phase.together ? members : [phase.merging]
}

/** True if the code host decides about this member, so that nothing else changes it. */
export function isBeingMerged(group: GroupView | undefined, number: PullRequestNumber): boolean {
  return group !== undefined && beingMerged(group).includes(number)
}
