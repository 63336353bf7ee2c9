/** What changed heads mean for a queue: pull requests that leave it, and those that wish to enter. */

import type { Card, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { PullRefs } from './pull-refs.ts'
import type { Sight } from './sight.ts'

export type HeadChange =
  /** The branch is gone. */
  | { readonly is: 'closed'; readonly number: PullRequestNumber }
  /** The branch holds another commit than the one that was submitted. */
  | { readonly is: 'pushed to'; readonly number: PullRequestNumber }
  /** A branch below `queue/` that holds a commit which was not submitted yet. */
  | {
      readonly is: 'wished'
      readonly number: PullRequestNumber
      readonly ref: string
      readonly head: Oid
    }

/** What is known of the pull requests of a queue. */
export type KnownHeads = {
  /** Those that are in the queue. */
  readonly queued: Iterable<PullRequestNumber>
  readonly refs: PullRefs
  /** The card of the last submission; null if there was none. */
  readonly cardOf: (number: PullRequestNumber) => Card | null
  /** True for a branch that enters this queue when it is pushed. */
  readonly isWish: (ref: string) => boolean
}

/**
 * A submission freezes its head. So a push takes the pull request out of the queue, and a branch
 * below `queue/` enters again with the new commit. A pull request whose merge is under way is left
 * to the push of that merge, which holds a lease on the head.
 */
export function headChanges(known: KnownHeads, sight: Sight): HeadChange[] {
  return [...departures(known, sight), ...wishes(known, sight)]
}

function departures({ queued, refs, cardOf }: KnownHeads, { heads }: Sight): HeadChange[] {
  return [...queued].flatMap((number): HeadChange[] => {
    const card = cardOf(number)
    if (card === null) return []
    const head = heads.get(refs.refOf(number))
    if (head === undefined) return [{ is: 'closed', number }]
    return head === card.head ? [] : [{ is: 'pushed to', number }]
  })
}

function wishes({ refs, cardOf, isWish }: KnownHeads, sight: Sight): HeadChange[] {
  return [...sight.heads].flatMap(([ref, head]): HeadChange[] => {
    if (!isWish(ref)) return []
    const number = refs.numberOf(ref, sight)
    return cardOf(number)?.head === head ? [] : [{ is: 'wished', number, ref, head }]
  })
}
