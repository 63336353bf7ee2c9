/**
 * A merge: the commits that were tested become the target branch, in one push.
 *
 * The push holds a lease on the commit below it and on the heads. What it did is read from the branch
 * and not from its answer, which can be lost although the push has worked.
 */

import type { PullRequestNumber, RefusalReason } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { HeadLease, Landed } from '../git/land.ts'
import { type Failure, ownerOf } from '../faults/owners.ts'
import { Backoff } from './backoff.ts'
import { composeMerge, landedHeads } from './composing.ts'
import { isPushedByQueue, leave } from './following-pulls.ts'
import {
  cardOf,
  type HostedParts,
  landed,
  methodOf,
  onBranch,
  pause,
  testedBy,
  tipOf,
} from './hosted-parts.ts'
import {
  type Departed,
  departureOf,
  type Forge,
  type LandedOnHost,
  type OwnCommit,
  type Pull,
} from './forge.ts'
import { wishPrefix } from './sight.ts'
import type { Wanted, WantedMerge } from './wanted.ts'

/**
 * Whether a look at the repository must follow. `movedFrom`: the branch has moved from this commit; the look
 * answers the merge if it sees the push, else the merge of `next` is to be tested again.
 */
export type Afterwards =
  | 'no look'
  | 'a look'
  | { readonly movedFrom: Oid; readonly next: PullRequestNumber }

/** Lands a group, and tells the queue what became of it. Throws if that cannot be known now. */
export async function landMerge(parts: HostedParts, merge: WantedMerge): Promise<Afterwards> {
  const [first] = merge.numbers
  const tip = tipOf(parts)
  if (first === undefined || tip === null) return 'no look'
  const made = await composeMerge(parts, tip, merge.numbers)
  // Proven on another tip: another lane or a bisection has landed what it conflicts with.
  if ('conflict' in made) {
    refuse(parts, made.conflict, 'START_TEST_RUN_MERGE_CONFLICT', made.words)
    return 'no look'
  }
  if ('gone' in made) {
    refuse(parts, made.gone, 'PR_UPDATED_AT_MERGE_TIME')
    return 'no look'
  }
  if ('onBranch' in made) {
    onBranch(parts, made.onBranch, tip)
    return 'no look'
  }
  const { forge } = parts
  const { numbers, commits } = made
  const departed = forge ? await madeReady(parts, forge, numbers) : null
  if (departed) return dismiss(parts, departed)
  const wanted = { expect: tip, numbers, commits }
  const isByButton = forge !== null && !forge.landsByPush(methodOf(parts))
  const { outcome, left } = isByButton
    ? await landOnHost(parts, forge, wanted)
    : await landByPush(parts, wanted)
  const [next = first] = left
  if (left.length < numbers.length) parts.refused = null
  if (outcome.is === 'moved') return { movedFrom: tip, next }
  if (outcome.is !== 'denied') return answerOther(parts, outcome)
  answerDenied(parts, next, { attempt: isByButton ? 'button' : 'push', ...outcome })
  return 'no look'
}

function answerOther(
  parts: HostedParts,
  outcome: Exclude<LandedOnHost, { is: 'moved' | 'denied' }>,
): Afterwards {
  if (outcome.is === 'departed') return dismiss(parts, outcome)
  if (outcome.is === 'landed') return 'no look'
  // What was tested is not what they want to merge.
  refuse(parts, outcome.number, 'PR_UPDATED_AT_MERGE_TIME')
  return 'a look'
}

/** The host would not merge one of the members any more. A stored departure takes effect instead of the reason. */
function dismiss(parts: HostedParts, { number, isPushedTo, words }: Departed): Afterwards {
  const reason = isPushedTo ? 'PR_UPDATED_AT_MERGE_TIME' : 'GITHUB_API_MERGE_PR_FAILED'
  refuse(parts, number, reason, words)
  return 'a look'
}

type Composition = {
  readonly expect: Oid
  readonly numbers: readonly PullRequestNumber[]
  readonly commits: readonly Oid[]
}

/** `left` has not landed. */
type Pushed = { readonly outcome: Landed; readonly left: readonly PullRequestNumber[] }

/** Pushes a group. One that is refused lands one by one, so that the one because of which it is refused is known. */
async function landByPush(
  parts: HostedParts,
  { expect, numbers, commits }: Composition,
): Promise<Pushed> {
  const outcome = await parts.mirror.land({
    branch: parts.queue.ref.targetBranch,
    expect,
    commit: commits.at(-1) ?? expect,
    heads: parts.forge ? [] : numbers.flatMap((number) => leaseOf(parts, number)),
  })
  const isOfAll =
    outcome.is === 'denied' && ownerOf({ attempt: 'push', ...outcome }) === 'repository'
  if (outcome.is === 'denied' && !isOfAll && numbers.length > 1) {
    const alone = { expect, numbers: numbers.slice(0, 1), commits: commits.slice(0, 1) }
    const first = await landByPush(parts, alone)
    // The queue asks for the others again.
    return { ...first, left: first.outcome.is === 'landed' ? numbers.slice(1) : numbers }
  }
  if (outcome.is === 'landed') landed(parts, numbers, commits)
  return { outcome, left: outcome.is === 'landed' ? [] : numbers }
}

/** One of the members cannot merge; the others go on. `words`: of git or the host. */
function refuse(
  parts: HostedParts,
  number: PullRequestNumber,
  refused: RefusalReason,
  words?: string,
): void {
  const why = words === undefined ? {} : { words }
  const command = { type: 'finishMerge', number, refused, ...why } as const
  parts.hold(command, () => parts.send(command))
}

/**
 * The repository does not let a pull request land. If that is its own fault, it leaves; else the queue is
 * PAUSED, and the same merge is tried again until it lands. Throws if it is nobody's.
 */
function answerDenied(parts: HostedParts, number: PullRequestNumber, refusal: Failure): void {
  const { words } = refusal
  const { queue, refused, logger } = parts
  const owner = ownerOf(refusal)
  const isDenied = parts.denied !== null || queue.history.pausedFor?.until === 'landed'
  const { targetBranch } = queue.ref
  if (owner === 'nobody') throw new Error(`cannot merge into ${targetBranch}: ${words}`)
  const another = owner === 'unclear' && refused !== number ? refused : null
  const isOfAll = owner === 'repository' || (owner === 'unclear' && isDenied) || another !== null
  if (isOfAll) return deny(parts, words, another)
  logger.warn({ queue: queue.name, number, words }, 'a pull request cannot be merged')
  // Those with one fault of their own say nothing about the next one.
  if (owner === 'unclear') parts.refused = number
  refuse(parts, number, 'GITHUB_API_MERGE_PR_FAILED', words)
}

/** `another`: it was refused before, for what is now known to be no fault of it. */
function deny(parts: HostedParts, refusal: string, another: PullRequestNumber | null): void {
  const { queue, logger, now } = parts
  const again = another === null ? '' : `; ${another} was refused before it: submit it again`
  const words = `cannot merge into ${queue.ref.targetBranch}: ${refusal}${again}: allow it to the account of the queue, which tries again by itself`
  const backoff = parts.denied?.backoff ?? new Backoff()
  parts.denied = { words: parts.denied?.words ?? words, backoff, until: now() + backoff.next() }
  if (queue.engine.queue.state !== 'RUNNING') return
  logger.error({ queue: queue.name, words }, 'the merge was denied; the queue is paused')
  pause(parts, { words, until: 'landed' })
}

/** Goes on after a denial: when a person has resumed the queue, or nothing is left that was denied. */
export function goOn(parts: HostedParts, { runs, merges }: Wanted): void {
  const { queue } = parts
  const { state, pullRequests } = queue.engine.queue
  if (state !== 'PAUSED' || merges.length === 0) parts.denied = null
  const isLeaving = (number: number) => (pullRequests[number]?.leavingFor ?? null) !== null
  const leaving = parts.denied ? merges[0]?.numbers.find(isLeaving) : undefined
  // Who wants to leave does not wait for a merge that is denied.
  if (leaving !== undefined) refuse(parts, leaving, 'GITHUB_API_MERGE_PR_FAILED')
  const isOver = isPauseOver(parts, { runs, merges })
  if (state === 'PAUSED' && isOver) {
    parts.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  }
}

/** True if the reason is gone for which the server itself has paused the queue. */
function isPauseOver(parts: HostedParts, { runs, merges }: Wanted): boolean {
  const { until, of } = parts.queue.history.pausedFor ?? {}
  if (until === 'landed') return merges.length === 0
  if (until === 'placed') return runs.length === 0
  const now = until === 'changed' ? testedBy(parts) : null
  return now !== null && now !== of
}

/** A branch below `queue/` is removed by the push that lands it; other branches are left alone. */
function leaseOf(parts: HostedParts, number: PullRequestNumber): HeadLease[] {
  const card = cardOf(parts, number)
  if (!card) return []
  return [{ number, ref: card.ref, head: card.head, isRemoved: card.ref.startsWith(wishPrefix) }]
}

// Landings on a host with pull requests: who may still merge, and its merge button.

/**
 * The first member that the host would not merge as it was tested. The queue is told why; this look comes right
 * before the push or the button, and asks for all members at once, so that none of the answers is old by then.
 */
async function departedOf(
  parts: HostedParts,
  forge: Forge,
  numbers: readonly PullRequestNumber[],
): Promise<Departed | null> {
  const pulls = await Promise.all(numbers.map((number) => forge.pull(number)))
  for (const [index, number] of numbers.entries()) {
    const pull = pulls[index]
    const frozen = cardOf(parts, number)
    if (!pull || !frozen) return { number, isPushedTo: false }
    const changed = departureOf(pull, frozen, parts.queue.ref.targetBranch)
    const isOwn = changed === 'PR_PUSHED_TO' && (await isPushedByQueue(parts, pull))
    const departure = isOwn ? null : changed
    // Whoever may push past the rules of a branch must keep them.
    const unapproved = departure === null ? lackOf(parts, pull) : null
    if (departure === null && unapproved === null) continue
    const isPushedTo = departure === 'PR_PUSHED_TO'
    if (!isPushedTo) leave(parts, pull)
    return { number, isPushedTo, ...(unapproved === null ? {} : { words: unapproved }) }
  }
  return null
}

/** What the host asks for and git would not: its approval, and who must merge before it, as it says since the request. */
function lackOf({ queue, forge }: HostedParts, { number, blockers = [] }: Pull): string | null {
  const { pullRequests } = queue.engine.queue
  const { dependsOn = [] } = pullRequests[number] ?? {}
  const later = blockers.find(
    (each) => !dependsOn.includes(each) && pullRequests[each]?.state !== 'MERGED',
  )
  const words = `${later} must merge first since it was asked for: ask again`
  return forge?.unapprovedFor(number) ?? (later === undefined ? null : words)
}

/** Like `departedOf`, and those that are built on others get the target branch as their base. Rule: A-305. */
async function madeReady(
  parts: HostedParts,
  forge: Forge,
  numbers: readonly PullRequestNumber[],
): Promise<Departed | null> {
  const departed = await departedOf(parts, forge, numbers)
  if (departed) return departed
  for (const number of numbers) await forge.retarget(number)
  return null
}

/** Lands a group by the merge button, and tells the queue what has landed. `left` has not. */
async function landOnHost(
  parts: HostedParts,
  forge: Forge,
  wanted: {
    readonly expect: Oid
    readonly numbers: readonly PullRequestNumber[]
    readonly commits: readonly Oid[]
  },
): Promise<{ readonly outcome: LandedOnHost; readonly left: readonly PullRequestNumber[] }> {
  const { expect, numbers } = wanted
  const members = numbers.map((number, index) => {
    return { number, head: cardOf(parts, number)?.head ?? '', commit: wanted.commits[index] ?? '' }
  })
  const { commits, stopped } = await forge.land({
    method: methodOf(parts),
    expect,
    members,
    departedOf: (number) => madeReady(parts, forge, [number]),
    ownCommitOf: (number, tip) => {
      const before = numbers.slice(0, numbers.indexOf(number))
      return ownCommitOf(parts, { number, tip, before })
    },
  })
  if (commits.length > 0) landed(parts, numbers.slice(0, commits.length), commits)
  return { outcome: stopped ?? { is: 'landed' }, left: numbers.slice(commits.length) }
}

/**
 * The button merges the head as git does: it knows nothing of a squashed one below, and finds a conflict of both with
 * themselves. So what is built on another, or has another built on it, lands as the commit that was tested. Rule: A-308.
 */
async function ownCommitOf(
  parts: HostedParts,
  {
    number,
    tip,
    before,
  }: {
    readonly number: PullRequestNumber
    readonly tip: Oid
    /** Those of its group that have landed, which the queue is not told yet. */
    readonly before: readonly PullRequestNumber[]
  },
): Promise<OwnCommit | null> {
  const { mirror, queue } = parts
  const heads = before.map((each) => [cardOf(parts, each)?.head ?? '', each] as const)
  const landedNow = new Map([...landedHeads(parts), ...heads])
  const made = await composeMerge(parts, tip, [number], landedNow)
  const commit = 'commits' in made ? (made.commits[0] ?? null) : null
  if (commit === null) return null
  const isBelow = [...queue.positions().numbers()].some(
    (other) => cardOf(parts, other)?.on?.includes(number) === true,
  )
  const isInStack = isBelow || cardOf(parts, number)?.on !== undefined
  const pressed = await composeMerge(parts, tip, [number], null)
  const [theirs] = 'commits' in pressed ? pressed.commits : []
  const isForPush =
    theirs === undefined || (await mirror.treeOf(theirs)) !== (await mirror.treeOf(commit))
  return isInStack || isForPush ? { commit, isForPush } : null
}
