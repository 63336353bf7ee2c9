/**
 * A merge: the commits that were tested become the target branch, in one push.
 *
 * The push holds a lease on the commit below it and on the heads. What it did is read from the branch
 * and not from its answer, which can be lost although the push has worked.
 */

import type { PullRequestNumber, RefusalReason } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { HeadLease } from '../git/land.ts'
import { type Failure, ownerOf } from '../faults/owners.ts'
import { Backoff } from './backoff.ts'
import { landByButton, type LandedGroup } from './button.ts'
import { composeTested, type Composition } from './composing.ts'
import { madeReady } from './observing-pulls.ts'
import {
  snapshotOf,
  type HostedParts,
  landed,
  methodOf,
  onBranch,
  pause,
  sendHeld,
  testedBy,
  tipOf,
} from './hosted-parts.ts'
import type { Departed, LandedOnHost } from './code-host.ts'
import { requestPrefix } from './observation.ts'
import type { Wanted, WantedMerge } from './wanted.ts'

/**
 * Whether a poll of the repository must follow. `movedFrom`: the branch has moved from this commit; the poll
 * answers the merge if it sees the push, else the merge of `next` is to be tested again.
 */
export type Afterwards =
  | 'no poll'
  | 'a poll'
  | { readonly movedFrom: Oid; readonly next: PullRequestNumber }

/** Lands a group, and tells the queue what became of it. Throws if that cannot be known now. */
export async function landMerge(parts: HostedParts, merge: WantedMerge): Promise<Afterwards> {
  const [first] = merge.numbers
  const tip = tipOf(parts)
  if (first === undefined || tip === null) return 'no poll'
  const leaving = leavingIn(parts, merge)
  if (leaving !== null) {
    // It may be on the branch already, and the queue not know it yet.
    if (!(await isStillAt(parts, tip))) return { movedFrom: tip, next: leaving }
    refuse(parts, leaving, 'GITHUB_API_MERGE_PR_FAILED')
    return 'no poll'
  }
  const made = await composeTested(parts, tip, merge.numbers)
  // Proven on another tip: another lane or a bisection has landed what it conflicts with.
  if ('conflict' in made) {
    refuse(parts, made.conflict, 'START_TEST_RUN_MERGE_CONFLICT', made.words)
    return 'no poll'
  }
  if ('gone' in made) {
    refuse(parts, made.gone, 'PR_UPDATED_AT_MERGE_TIME')
    return 'no poll'
  }
  if ('onBranch' in made) {
    onBranch(parts, made.onBranch, tip)
    return 'no poll'
  }
  const departed = parts.codeHost ? await madeReady(parts, parts.codeHost, made.numbers) : null
  if (departed) return dismiss(parts, departed)
  return parts.codeHost?.hears(made.numbers) === true
    ? 'no poll'
    : land(parts, { expect: tip, ...made })
}

/** Whether the target branch of the repository is at this commit at this moment. */
async function isStillAt({ mirror, queue }: HostedParts, tip: Oid): Promise<boolean> {
  return (await mirror.commitOf(`refs/heads/${queue.ref.targetBranch}`)) === tip
}

/** By the merge button of the host, if a push would show its pull requests as closed. */
async function land(parts: HostedParts, wanted: Composition): Promise<Afterwards> {
  const { codeHost } = parts
  const button = methodOf(parts) === 'merge_commit' ? null : (codeHost?.button ?? null)
  const { outcome, left } =
    codeHost && button
      ? await landByButton({ parts, codeHost, button }, wanted)
      : await landByPush(parts, wanted)
  const { expect, numbers } = wanted
  const [next = numbers[0] ?? 0] = left
  if (left.length < numbers.length) parts.refused = null
  if (outcome.is === 'moved') return { movedFrom: expect, next }
  if (outcome.is !== 'denied') return answerOther(parts, outcome)
  answerDenied(parts, next, { attempt: button ? 'button' : 'push', ...outcome })
  return 'no poll'
}

function answerOther(
  parts: HostedParts,
  outcome: Exclude<LandedOnHost, { is: 'moved' | 'denied' }>,
): Afterwards {
  if (outcome.is === 'departed') return dismiss(parts, outcome)
  if (outcome.is === 'landed') return 'no poll'
  // What was tested is not what they want to merge.
  refuse(parts, outcome.number, 'PR_UPDATED_AT_MERGE_TIME')
  return 'a poll'
}

/** The host would not merge one of the members any more. A stored departure takes effect instead of the reason. */
function dismiss(parts: HostedParts, { number, isPushedTo, words }: Departed): Afterwards {
  const reason = isPushedTo ? 'PR_UPDATED_AT_MERGE_TIME' : 'GITHUB_API_MERGE_PR_FAILED'
  refuse(parts, number, reason, words)
  return 'a poll'
}

/** Pushes a group. One that is refused lands one by one, so that the one because of which it is refused is known. */
async function landByPush(
  parts: HostedParts,
  { expect, numbers, commits }: Composition,
): Promise<LandedGroup> {
  const outcome = await parts.mirror.land({
    branch: parts.queue.ref.targetBranch,
    expect,
    commit: commits.at(-1) ?? expect,
    heads: leasesOf(parts, numbers),
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
  sendHeld(parts, { type: 'finishMerge', number, refused, ...why })
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

/** The member that is to leave, as the queue was told before anything of the merge was tried; null: there is none. */
function leavingIn({ queue }: HostedParts, { numbers }: WantedMerge): PullRequestNumber | null {
  const { pullRequests } = queue.engine.queue
  return numbers.find((number) => (pullRequests[number]?.leavingFor ?? null) !== null) ?? null
}

/** False: it was denied, and is to be tried again later. Who is to leave does not wait for that. */
export function isMergeDue(parts: HostedParts, merge: WantedMerge): boolean {
  const until = parts.denied?.until ?? 0
  return parts.now() >= until || leavingIn(parts, merge) !== null
}

/** Goes on after a denial: when a person has resumed the queue, or nothing is left that was denied. */
export function goOn(parts: HostedParts, { runs, merges }: Wanted): void {
  const { queue } = parts
  const { state } = queue.engine.queue
  if (state !== 'PAUSED' || merges.length === 0) parts.denied = null
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
  if (until === 'named') return true
  const now = until === 'changed' ? testedBy(parts) : null
  return now !== null && now !== of
}

/** A branch below `queue/` is removed by the push that lands it; other branches are left alone. */
export function leasesOf(parts: HostedParts, numbers: readonly PullRequestNumber[]): HeadLease[] {
  // The pull requests of a host are the host's to close.
  if (parts.codeHost) return []
  return numbers.flatMap((number) => {
    const snapshot = snapshotOf(parts, number)
    if (!snapshot) return []
    const { ref, head } = snapshot
    return [{ number, ref, head, isRemoved: ref.startsWith(requestPrefix) }]
  })
}
