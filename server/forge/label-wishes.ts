/** What labels ask for: the enqueueing label on a pull request submits it, and its removal cancels it. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Pull } from '../hosting/forge.ts'

type LabelWish = {
  readonly number: PullRequestNumber
  readonly is:
    | 'submit'
    | 'cancel'
    /** The pull request has left the queue. The label goes, so that adding it again says something. */
    | 'remove label'
}

export type LabelRead = {
  readonly wishes: readonly LabelWish[]
  /** Those whose label is known now. */
  readonly labelled: readonly PullRequestNumber[]
}

/**
 * Compares labels with what was known of them. A push takes a pull request out of the queue together with
 * its label: whoever may push must not enter by the label that somebody else gave to other code.
 */
export function labelWishes(
  pulls: Iterable<Pull>,
  label: string,
  known: {
    readonly labelled: readonly PullRequestNumber[]
    readonly isQueued: (number: PullRequestNumber) => boolean
  },
): LabelRead {
  const before = new Set(known.labelled)
  const wishes: LabelWish[] = []
  const labelled: PullRequestNumber[] = []
  for (const { number, state, isDraft, labels } of pulls) {
    const [has, had] = [labels.includes(label), before.has(number)]
    // A draft waits with its label until it is ready for review.
    if (state !== 'open' || (isDraft && !had)) continue
    if (has) labelled.push(number)
    const is = wishOf({ has, had, isQueued: known.isQueued(number) })
    if (is !== null) wishes.push({ number, is })
  }
  // The list has the newest first; who asked first is not known.
  return { wishes: wishes.sort((a, b) => a.number - b.number), labelled }
}

type Label = { readonly has: boolean; readonly had: boolean; readonly isQueued: boolean }

function wishOf({ has, had, isQueued }: Label): LabelWish['is'] | null {
  if (has && !isQueued) return had ? 'remove label' : 'submit'
  return !has && had && isQueued ? 'cancel' : null
}
