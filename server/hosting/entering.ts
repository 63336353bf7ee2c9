/** A pull request enters: its head is fetched and frozen as a card. */

import type { Card, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Pull } from './forge.ts'
import { cardOf, methodOf, tipOf, type HostedParts } from './hosted-parts.ts'

type Entry = { readonly number: PullRequestNumber; readonly ref: string; readonly head: Oid }

/** Submits a branch that was pushed below `queue/`. */
export async function enter(parts: HostedParts, entry: Entry): Promise<void> {
  const card = await cardFor(parts, entry)
  parts.send({ type: 'submitPullRequest', number: entry.number, sha: card.head, card })
}

/** Makes the card of a pull request, and tells the queue what is known of it. */
export async function cardFor(
  parts: HostedParts,
  { number, ref, head }: Entry,
  /** How the host describes it; by default its commit does. */
  pull: Pick<Pull, 'title' | 'body' | 'author'> | null = null,
): Promise<Card> {
  const { mirror, refs, queue } = parts
  await mirror.fetch([pull ? head : ref])
  await mirror.keep(`refs/mergeyard/heads/${head}`, head)
  const described = await mirror.describe(head)
  const { author } = described
  const { title, body } = pull ?? described
  const card = { head, title, body, author, ref }
  refs.note(number, card)
  const mergeable = await isMergeable(parts, number, card)
  const base = queue.ref.targetBranch
  parts.send({
    type: 'reportPullRequest',
    number,
    mergeable,
    title,
    author: pull?.author ?? author.name,
    base,
  })
  await setTargets(parts, number, head)
  // Nobody enters of whom the queue does not know this.
  await parts.settled()
  return card
}

/** Before the submission, and again after a push: the targets belong to the head. */
async function setTargets(parts: HostedParts, number: PullRequestNumber, head: Oid): Promise<void> {
  if (!parts.impacted) return
  const tip = tipOf(parts)
  const targets = tip === null ? 'ALL' : await parts.impacted.of({ number, head, tip })
  parts.send({ type: 'setImpactedTargets', number, targets })
}

/**
 * A pull request that conflicts with the target branch waits, as with any code host, until somebody
 * pushes to it or the branch changes.
 */
export async function reviewMergeable(parts: HostedParts): Promise<void> {
  const { queue } = parts
  for (const number of [...queue.positions().numbers()]) {
    const card = cardOf(parts, number)
    if (queue.engine.queue.pullRequests[number]?.state !== 'NOT_READY' || !card) continue
    const mergeable = await isMergeable(parts, number, card)
    parts.send({ type: 'reportPullRequest', number, mergeable })
  }
}

/** False: it conflicts with the branch, or the host still waits for an approval. */
export async function isMergeable(
  parts: HostedParts,
  number: PullRequestNumber,
  card: Card,
): Promise<boolean> {
  if (parts.forge?.isApproved(number) === false) return false
  const tip = tipOf(parts)
  if (tip === null) return true
  const submittedAt = parts.now()
  const made = await parts.mirror.compose(
    tip,
    [{ ...card, number, at: submittedAt }],
    methodOf(parts),
  )
  return !('conflict' in made)
}
