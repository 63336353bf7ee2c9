/**
 * A merge: the commits that were tested become the target branch, in one push.
 *
 * The push holds a lease on the commit below it and on the heads. What it did is read from the branch
 * and not from its answer, which can be lost although the push has worked.
 */

import type { PullRequestNumber, RefusalReason } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { HeadLease, Landed } from '../git/land.ts'
import { composeMerge } from './composing.ts'
import {
  cardOf,
  landed,
  methodOf,
  onBranch,
  targetMoved,
  tipOf,
  type HostedParts,
} from './hosted-parts.ts'
import type { Departed } from './forge.ts'
import { departedOf, landOnHost } from './landing-on-host.ts'
import { follow } from './looking.ts'
import { wishPrefix } from './sight.ts'
import type { WantedMerge } from './wanted.ts'

/** Lands a group, and tells the queue what became of it. Throws if that cannot be known now. */
export async function landMerge(parts: HostedParts, merge: WantedMerge): Promise<void> {
  const [first] = merge.numbers
  const tip = tipOf(parts)
  if (first === undefined || tip === null) return
  const made = await composeMerge(parts, tip, merge.numbers)
  // Proven on another tip: another lane or a bisection has landed what it conflicts with.
  if ('conflict' in made) {
    return refuse(parts, made.conflict, 'START_TEST_RUN_MERGE_CONFLICT')
  }
  if ('gone' in made) return refuse(parts, made.gone, 'PR_UPDATED_AT_MERGE_TIME')
  if ('onBranch' in made) return onBranch(parts, made.onBranch, tip)
  const { forge } = parts
  const { numbers, commits } = made
  const departed = forge ? await departedOf(parts, forge, numbers) : null
  if (departed) return dismiss(parts, departed)
  const wanted = { expect: tip, numbers, commits }
  const { outcome, left } =
    forge && !forge.landsByPush(methodOf(parts))
      ? await landOnHost(parts, forge, wanted)
      : { outcome: await landByPush(parts, wanted), left: numbers }
  const [next = first] = left
  if (outcome.is === 'landed') return
  if (outcome.is === 'departed') return dismiss(parts, outcome)
  if (outcome.is === 'head moved') {
    // What was tested is not what they want to merge.
    refuse(parts, outcome.number, 'PR_UPDATED_AT_MERGE_TIME')
    await follow(parts)
  } else if (outcome.is === 'moved') {
    await answerMoved(parts, tip, next)
  } else {
    pause(parts, outcome.words)
    targetMoved(parts, next)
  }
}

/** If the poll sees the push, it answers the merge, or the merge lands on the new tip. */
async function answerMoved(parts: HostedParts, tip: Oid, next: PullRequestNumber): Promise<void> {
  await follow(parts)
  if (tipOf(parts) === tip) targetMoved(parts, next)
}

/** The host would not merge one of the members any more. A stored departure takes effect instead of the reason. */
async function dismiss(parts: HostedParts, { number, isPushedTo }: Departed): Promise<void> {
  refuse(parts, number, isPushedTo ? 'PR_UPDATED_AT_MERGE_TIME' : 'GITHUB_API_MERGE_PR_FAILED')
  await follow(parts)
}

type Composition = {
  readonly expect: Oid
  readonly numbers: readonly PullRequestNumber[]
  readonly commits: readonly Oid[]
}

async function landByPush(
  parts: HostedParts,
  { expect, numbers, commits }: Composition,
): Promise<Landed> {
  const outcome = await parts.mirror.land({
    branch: parts.queue.ref.targetBranch,
    expect,
    commit: commits.at(-1) ?? expect,
    heads: parts.forge ? [] : numbers.flatMap((number) => leaseOf(parts, number)),
  })
  if (outcome.is === 'landed') landed(parts, numbers, commits)
  return outcome
}

/** One of the members cannot merge; the others go on. */
function refuse(parts: HostedParts, number: PullRequestNumber, refused: RefusalReason): void {
  const command = { type: 'finishMerge', number, refused } as const
  parts.hold(command, () => parts.send(command))
}

/** The repository does not let the server push: that is nobody's failure, and people must act. */
function pause(parts: HostedParts, words: string): void {
  parts.denied = `cannot push to ${parts.queue.ref.targetBranch}: ${words}`
  parts.logger.error({ queue: parts.queue.name, words }, 'the push was denied; the queue is paused')
  parts.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
}

/** A branch below `queue/` is removed by the push that lands it; other branches are left alone. */
function leaseOf(parts: HostedParts, number: PullRequestNumber): HeadLease[] {
  const card = cardOf(parts, number)
  if (!card) return []
  return [{ number, ref: card.ref, head: card.head, isRemoved: card.ref.startsWith(wishPrefix) }]
}
