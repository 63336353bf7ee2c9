/**
 * What was done to a pull request on its host, and what that means for a request: it is about the commit
 * that stood when somebody with the right asked, and it is over as soon as that changes.
 */

import type { CancelReason } from '../../engine/index.ts'
import type { Departures } from '../hosting/forge.ts'
import type { Activity, Deed, Moment } from './api.ts'

/** What ends a request, in the words that its pull request gets. */
const ends: Readonly<Record<Deed['is'], string | null>> = {
  labelled: null,
  unlabelled: null,
  pushed: 'somebody has pushed since it was asked for: ask again',
  closed: 'it was closed since it was asked for: ask again',
  reopened: 'it was closed and reopened since it was asked for: ask again',
  drafted: 'it was made a draft since it was asked for: ask again',
  retargeted: 'its base was changed since it was asked for: ask again',
}

/** What takes one out of the queue though it was undone since. A push that was undone leaves what was asked for. */
const leaves: Partial<Readonly<Record<Deed['is'], CancelReason>>> = {
  closed: 'PR_CLOSED',
  drafted: 'PR_CONVERTED_TO_DRAFT',
  retargeted: 'PR_BASE_BRANCH_CHANGED',
}

export function departuresIn(deeds: readonly Deed[]): Departures {
  return deeds.flatMap(({ is }) => leaves[is] ?? [])
}

const untold =
  'the host does not say which commit stood when it was asked for, and the queue had not seen this one before: ask again'

/**
 * Why a request does not count for the head of now; null: it does. What came after it ends it. Of deeds at
 * the same instant nobody knows the order, and of a host that tells no pushes nobody knows the head: then the
 * request counts only if the head was there at the poll before it, and the request was not.
 */
export function whyOver(
  when: Moment,
  { deeds, tellsPushes }: Activity,
  atPollBefore: { readonly hadHead: boolean; readonly wasAsked: boolean },
): string | null {
  const changes = deeds.filter(({ is }) => ends[is] !== null)
  const since = changes.findLast((deed) => compareMoments(deed.when, when) > 0)
  if (since) return ends[since.is]
  if (!atPollBefore.hadHead && !tellsPushes) return untold
  if (atPollBefore.hadHead && !atPollBefore.wasAsked) return null
  const beside = changes.find((deed) => compareMoments(deed.when, when) === 0)
  return beside ? ends[beside.is] : null
}

/** Negative: `a` was before. 0: nobody knows. */
export function compareMoments(a: Moment, b: Moment): number {
  return a.place !== null && b.place !== null ? a.place - b.place : a.at - b.at
}

/** Who gave a pull request the label that it has, and when; null: the host does not say. */
export function lastDeedAbout(
  label: string,
  is: 'labelled' | 'unlabelled',
  { deeds }: Activity,
): Deed | null {
  const last = deeds.findLast((deed) => deed.label === label)
  return last?.is === is ? last : null
}
