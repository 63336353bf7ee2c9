/** A pull request enters: its head is fetched and frozen as a card. */

import type { Card, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { isNotThere } from '../git/fetch-missing.ts'
import type { Pull } from './forge.ts'
import type { HostAnswer } from './hosting.ts'
import { landedHeads } from './composing.ts'
import { cardOf, methodOf, tipOf, type HostedParts } from './hosted-parts.ts'

type Entry = { readonly number: PullRequestNumber; readonly ref: string; readonly head: Oid }

/** Submits a branch that was pushed below `queue/`. One whose commit cannot be had waits for the next look. */
export async function enter(parts: HostedParts, entry: Entry): Promise<void> {
  const { number, ref } = entry
  const found = await cardOrRefusal(parts, entry)
  if ('refused' in found) {
    const { text: words } = found.refused
    parts.logger.warn({ queue: parts.queue.name, ref, words }, 'a branch cannot enter')
    return
  }
  const card = found.value
  parts.send({ type: 'submitPullRequest', number, sha: card.head, card })
}

/**
 * The card of a pull request. A commit that the repository does not have concerns this pull request alone: a
 * host can show the head of a fork that it has not taken over.
 */
export async function cardOrRefusal(
  parts: HostedParts,
  entry: Entry,
  pull: Pick<Pull, 'title' | 'body' | 'author'> | null = null,
): Promise<HostAnswer<Card>> {
  try {
    return { value: await cardFor(parts, entry, pull) }
  } catch (error) {
    if (!isNotThere(error, entry.head) && !isNotThere(error, entry.ref)) throw error
    const text = `the repository does not have ${entry.head}, the head of pull request ${entry.number}: push it again, and ask again`
    return { refused: { status: 409, text } }
  }
}

/** Makes the card of a pull request, and tells the queue what is known of it. */
async function cardFor(
  parts: HostedParts,
  { number, ref, head }: Entry,
  /** How the host describes it; null: its commit does. */
  pull: Pick<Pull, 'title' | 'body' | 'author'> | null,
): Promise<Card> {
  const { mirror, refs, queue } = parts
  await mirror.fetch([pull ? head : ref])
  await mirror.keep(`refs/mergeyard/heads/${head}`, head)
  const described = await mirror.describe(head)
  const { author } = described
  const tip = tipOf(parts)
  const isSquashed = methodOf(parts) === 'squash' && tip !== null
  const { title, body } = pull ?? {
    title: described.title,
    body: isSquashed ? await mirror.descriptionOf(head, tip) : described.body,
  }
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
    landedHeads(parts),
  )
  return !('conflict' in made)
}
