/** A pull request enters: its head is fetched and frozen as a snapshot. */

import type { PullSnapshot, HeldFor, PullRequestNumber } from '../../engine/index.ts'
import { keptHeads, type Composed } from '../git/compose.ts'
import type { Oid } from '../git/git.ts'
import { isNotThere } from '../git/damage.ts'
import type { Pull } from './code-host.ts'
import type { HostAnswer, HostRefusal } from './hosting.ts'
import { dependsOnOf, namedIn } from './depending.ts'
import { snapshotOf, methodOf, tipOf, type HostedParts } from './hosted-parts.ts'
import { landedHeads } from './composing.ts'

export type Entry = { readonly number: PullRequestNumber; readonly ref: string; readonly head: Oid }

/**
 * Submits a branch that was pushed below `queue/`. One that is refused is tried again at the next poll, if its commit
 * could not be had, or else once it or the target branch has moved.
 */
export async function enter(parts: HostedParts, entry: Entry): Promise<void> {
  const { number, ref, head } = entry
  const before = parts.refusedRefs.get(ref)
  const tip = tipOf(parts)
  if (before?.head === head && before.tip !== null && before.tip === tip) return
  const found = await snapshotOrRefusal(parts, entry)
  if ('refused' in found) {
    const { text: words, isFinal = false } = found.refused
    parts.refusedRefs.set(ref, { number, head, tip: isFinal ? tip : null, words })
    // Logged once, and not at each poll or each merge of others.
    if (before?.head === head && before.words === words) return
    parts.logger.warn({ queue: parts.queue.name, ref, words }, 'a branch cannot enter')
    return
  }
  const snapshot = found.value
  // A push has no answer that says a refusal: the pull request waits, and the queue shows for what.
  const after = namedIn(snapshot)
  const stack = dependsOnOf(after.length > 0 ? { ...snapshot, after } : snapshot)
  parts.send({ type: 'submitPullRequest', number, sha: snapshot.head, card: snapshot, ...stack })
}

/**
 * The snapshot of a pull request. A commit that the repository does not have concerns this pull request alone: a
 * host can show the head of a fork that it has not taken over.
 */
export async function snapshotOrRefusal(
  parts: HostedParts,
  entry: Entry,
  pull: Pick<Pull, 'title' | 'body' | 'author'> | null = null,
): Promise<HostAnswer<PullSnapshot>> {
  try {
    return await snapshotFor(parts, entry, pull)
  } catch (error) {
    if (!isNotThere(error, entry.head) && !isNotThere(error, entry.ref)) throw error
    if (entry.ref.includes('\uFFFD')) {
      const text = 'its name is not UTF-8: push it under another name'
      return { refused: { status: 409, text, isFinal: true } }
    }
    const text = `the repository does not have ${entry.head}, the head of pull request ${entry.number}: push it again, and ask again`
    return { refused: { status: 409, text } }
  }
}

/** Makes the snapshot of a pull request, and tells the queue what is known of it. */
async function snapshotFor(
  parts: HostedParts,
  { number, ref, head }: Entry,
  /** How the host describes it; null: its commit does. */
  pull: Pick<Pull, 'title' | 'body' | 'author'> | null,
): Promise<HostAnswer<PullSnapshot>> {
  const { mirror, refs, queue } = parts
  await mirror.fetch([pull ? head : ref])
  await mirror.keep(`${keptHeads}${head}`, head)
  const { author, ...described } = await mirror.describe(head)
  const told = pull ?? (await describedByCommits(parts, { number, head, described }))
  const { title, body } = told
  const snapshot = { head, title, body, author, ref, ...('on' in told ? { on: told.on } : {}) }
  refs.note(number, snapshot)
  const made = await composedAlone(parts, number, snapshot)
  if (made && 'commits' in made && made.onBranch !== null)
    return { refused: nothingNew(parts, number) }
  const base = queue.ref.targetBranch
  parts.send({
    type: 'reportPullRequest',
    number,
    ...mergeability(parts, number, made),
    title,
    author: pull?.author ?? author.name,
    base,
  })
  await setTargets(parts, number, head)
  // The queue must know this before the submission.
  await parts.settled()
  return { value: snapshot }
}

type Described = Pick<PullSnapshot, 'title' | 'body' | 'on'>

/**
 * What the commits of a branch say of it, with those of the queue whose heads they contain. One on which another of
 * these depends already is not named. Rule: A-306.
 */
async function describedByCommits(
  parts: HostedParts,
  { number, head, described }: Pick<Entry, 'number' | 'head'> & { readonly described: Described },
): Promise<Described> {
  const { queue, mirror } = parts
  const { pullRequests } = queue.engine.queue
  const tip = tipOf(parts)
  if (tip === null) return described
  const reached = await mirror.reached(tip, [head])
  const queued = new Map(
    [...queue.positions().numbers()].map((each) => [each, snapshotOf(parts, each)]),
  )
  const isBelow = (other: Oid = head): boolean => other !== head && reached.has(other)
  const below = [...queued.keys()].filter((other) => isBelow(queued.get(other)?.head))
  const before = queued.get(number)
  const named = new Set(below.flatMap((other) => pullRequests[other]?.dependsOn ?? []))
  const nearest = below.filter((other) => !named.has(other)).toSorted((a, b) => a - b)
  // The same commit again, for example with another priority, is no other submission.
  const on = before?.head === head ? (before.on ?? []) : nearest
  const stack = on.length > 0 ? { on } : {}
  if (methodOf(parts) !== 'squash') return { ...described, ...stack }
  const landed = landedHeads(parts).keys()
  const heads = [...below.flatMap((other) => queued.get(other)?.head ?? []), ...landed]
  const body = await mirror.descriptionOf(head, [tip, ...heads.filter(isBelow)])
  return { ...described, body, ...stack }
}

function nothingNew({ queue }: HostedParts, number: PullRequestNumber): HostRefusal {
  const { targetBranch } = queue.ref
  const text = `pull request ${number} changes nothing on ${targetBranch}: it has no commits of its own, or its change is there already; if that was reverted, revert the revert`
  return { status: 409, text, isFinal: true }
}

/** Before the submission, and again after a push: the targets belong to the head. */
async function setTargets(parts: HostedParts, number: PullRequestNumber, head: Oid): Promise<void> {
  if (!parts.impacted) return
  const tip = tipOf(parts)
  const targets = tip === null ? 'ALL' : await parts.impacted.of({ number, head, tip })
  parts.send({ type: 'setImpactedTargets', number, targets })
}

/**
 * For those who wait, if a start names other targets: who entered before would share none with who enters now, and could
 * merge beside them.
 */
export async function findTargetsAnew(parts: HostedParts): Promise<void> {
  const { noteTargets, queue, impacted } = parts
  if (!noteTargets) return
  for (const number of impacted ? [...queue.positions().numbers()] : []) {
    const head = snapshotOf(parts, number)?.head
    if (head !== undefined) await setTargets(parts, number, head)
  }
  await parts.settled()
  await noteTargets()
  parts.noteTargets = null
}

/**
 * A pull request that conflicts with the target branch waits, as with any code host, until somebody
 * pushes to it or the branch changes.
 */
export async function reviewMergeable(parts: HostedParts): Promise<void> {
  const { queue } = parts
  for (const number of [...queue.positions().numbers()]) {
    const snapshot = snapshotOf(parts, number)
    if (queue.engine.queue.pullRequests[number]?.state !== 'NOT_READY' || !snapshot) continue
    await reportMergeable(parts, number, snapshot)
  }
}

export async function reportMergeable(
  parts: HostedParts,
  number: PullRequestNumber,
  snapshot: PullSnapshot,
): Promise<void> {
  const made = await composedAlone(parts, number, snapshot)
  parts.send({ type: 'reportPullRequest', number, ...mergeability(parts, number, made) })
}

/** It is mergeable unless it conflicts with the branch, or the host still waits for an approval. */
function mergeability(
  { codeHost }: HostedParts,
  number: PullRequestNumber,
  made: Composed | null,
): { readonly mergeable: boolean; readonly heldFor?: HeldFor } {
  const approval = codeHost?.unapprovedFor(number) ?? null
  const heldFor = {
    ...(made && 'conflict' in made ? { conflict: made.words } : {}),
    ...(approval === null ? {} : { approval }),
  }
  const mergeable = Object.keys(heldFor).length === 0
  return { mergeable, ...(mergeable ? {} : { heldFor }) }
}

/** The snapshot on top of the branch; null before the first poll. */
async function composedAlone(
  parts: HostedParts,
  number: PullRequestNumber,
  snapshot: PullSnapshot,
): Promise<Composed | null> {
  const tip = tipOf(parts)
  if (tip === null) return null
  const snapshots = [{ ...snapshot, number, at: parts.now() }]
  return parts.mirror.compose(tip, snapshots, methodOf(parts), landedHeads(parts))
}
