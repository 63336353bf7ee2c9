/** The events of merging, of the target branch and of the code host. */

import type { CompositionKey } from '../model/composition.ts'
import type { GroupId, PullRequestNumber } from '../model/state.ts'

/** The queue has a code host now, which is asked for each merge from here on. */
export type HostAttached = {
  readonly type: 'hostAttached'
  readonly codeHost: 'answers' | 'groups'
}

/** Instructs the code host to merge the pull request and to answer with `finishMerge`. */
export type MergeRequested = {
  readonly type: 'mergeRequested'
  readonly group: GroupId
  /** The first to merge. */
  readonly number: PullRequestNumber
  /** All members of the group, to land in one push; absent if only `number` is to merge. */
  readonly numbers?: readonly PullRequestNumber[]
}

/**
 * The code host refused a merge, because of this pull request or without one at fault; none of the
 * group is being merged any more. A stored cancel, a failure or a restart follows.
 */
export type MergeRefused = {
  readonly type: 'mergeRefused'
  readonly group: GroupId
  readonly number: PullRequestNumber
}

/** The target branch has one more commit. */
export type TipMoved = {
  readonly type: 'tipMoved'
  readonly tip: number
  /** The merged pull request; null for a push from outside. */
  readonly number: PullRequestNumber | null
  readonly composition: CompositionKey
}
