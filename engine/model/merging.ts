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

/**
 * True if the branch was pushed to since the code host was asked to merge the group: every other group has
 * restarted already, and the host cannot merge what was tested.
 */
export function isPushedToWhileMerging({ phase }: GroupView): boolean {
  return phase.kind === 'passed' && phase.pushedTo === true
}

/** True if the code host decides about this member, so that nothing else changes it. */
export function isBeingMerged(group: GroupView | undefined, number: PullRequestNumber): boolean {
  return group !== undefined && beingMerged(group).includes(number)
}
