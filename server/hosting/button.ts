/**
 * Lands pull requests by the merge button, for `squash` and `rebase`: after a push alone the host would show them as
 * closed, not as merged. The host makes the commits, so their trees are compared with what was tested.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { PullRequestNumber } from '../../engine/index.ts'
import { ownerOf } from '../faults/owners.ts'
import type { Oid } from '../git/git.ts'
import { composeMerge, landedHeads, type Composition } from './composing.ts'
import { madeReady } from './observing-pulls.ts'
import type { ButtonRefusal, CodeHost, LandedOnHost, MergeButton } from './code-host.ts'
import { snapshotOf, landed, methodOf, type HostedParts } from './hosted-parts.ts'

export type LandedGroup = {
  readonly outcome: LandedOnHost
  /** These have not landed. */
  readonly left: readonly PullRequestNumber[]
}

type Host = {
  readonly parts: HostedParts
  readonly codeHost: CodeHost
  readonly button: MergeButton
}

type Stop = Exclude<LandedOnHost, { is: 'landed' }>

type Member = {
  readonly number: PullRequestNumber
  readonly head: Oid
  /** What was tested. */
  readonly commit: Oid
  readonly expect: Oid
  /** Those of its group that have landed, which the queue is not told yet. */
  readonly before: readonly PullRequestNumber[]
}

const mostTries = 4

/** One after the other, each only on the commit of the one before. Tells the queue what has landed. */
export async function landByButton(host: Host, wanted: Composition): Promise<LandedGroup> {
  const { parts } = host
  const { numbers } = wanted
  const commits: Oid[] = []
  let outcome: LandedOnHost = { is: 'landed' }
  for (const [index, number] of numbers.entries()) {
    const commit = wanted.commits[index] ?? ''
    const head = snapshotOf(parts, number)?.head ?? ''
    const [before, expect] = [numbers.slice(0, index), commits.at(-1) ?? wanted.expect]
    const made = await landMember(host, { number, head, commit, expect, before })
    if (typeof made !== 'string') {
      outcome = made
      break
    }
    commits.push(made)
  }
  if (commits.length > 0) landed(parts, numbers.slice(0, commits.length), commits)
  return { outcome, left: numbers.slice(commits.length) }
}

/** Returns the commit on the branch, or why there is none that was tested. */
async function landMember(host: Host, member: Member): Promise<Oid | Stop> {
  const { parts, codeHost } = host
  const { mirror, queue } = parts
  const tip = await mirror.commitOf(`refs/heads/${queue.ref.targetBranch}`)
  if (tip !== member.expect) return { is: 'moved' }
  const departed = await madeReady(parts, codeHost, [member.number])
  if (departed) return { is: 'departed', ...departed }
  const own = await ownCommitOf(parts, member)
  const merged = own ? await push(host, member, own) : await press(host, member)
  if (typeof merged !== 'string') return merged
  const isDone = (await isOnBranch(host, merged)) && (await isAsTested(host, merged, member))
  return isDone ? merged : { is: 'moved' }
}

/** Somebody can give it another base between the poll and the merge: then the button has merged it there. */
async function isOnBranch(
  { codeHost, parts: { mirror, queue, logger } }: Host,
  merged: Oid,
): Promise<boolean> {
  const branch = queue.ref.targetBranch
  const tip = await mirror.commitOf(`refs/heads/${branch}`)
  if (tip === merged) return true
  await mirror.fetch(tip === undefined ? [merged] : [merged, tip])
  if (tip !== undefined && (await mirror.isAncestor(merged, tip))) return true
  logger.error({ merged, branch }, `${codeHost.name} has merged to another branch than was tested`)
  return false
}

/** Somebody can push between the poll and the merge. Then the branch holds what nobody has tested. */
async function isAsTested(
  { codeHost, parts: { mirror, logger } }: Host,
  merged: Oid,
  { number, commit }: Member,
): Promise<boolean> {
  await mirror.fetch([merged])
  const [theirs, ours] = [await mirror.treeOf(merged), await mirror.treeOf(commit)]
  if (theirs === ours) return true
  const words = `${codeHost.name} has merged another tree than was tested`
  logger.error({ number, merged, theirs, ours }, words)
  return false
}

/** `isForPush`: the button would merge something else, or find a conflict. */
type OwnCommit = { readonly commit: Oid; readonly isForPush: boolean }

/**
 * The button merges the head as git does: it knows nothing of a squashed one below, and finds a conflict of both with
 * themselves. So what is built on another, or has another built on it, lands as the commit that was tested. Rule: A-308.
 */
async function ownCommitOf(
  parts: HostedParts,
  { number, expect: tip, before }: Member,
): Promise<OwnCommit | null> {
  const { mirror, queue } = parts
  const heads = before.map((each) => [snapshotOf(parts, each)?.head ?? '', each] as const)
  const landedNow = new Map([...landedHeads(parts), ...heads])
  const made = await composeMerge(parts, tip, [number], { landed: landedNow })
  const commit = 'commits' in made ? (made.commits[0] ?? null) : null
  if (commit === null) return null
  const isBelow = [...queue.positions().numbers()].some(
    (other) => snapshotOf(parts, other)?.on?.includes(number) === true,
  )
  const isInStack = isBelow || snapshotOf(parts, number)?.on !== undefined
  const pressed = await composeMerge(parts, tip, [number], { landed: null })
  const [theirs] = 'commits' in pressed ? pressed.commits : []
  const isForPush =
    theirs === undefined || (await mirror.treeOf(theirs)) !== (await mirror.treeOf(commit))
  return isInStack || isForPush ? { commit, isForPush } : null
}

/**
 * Makes the commit the head of its own branch, and then of the target branch, so that the host shows it as merged. One
 * whose target branch takes no push is left to the button, and one of a fork, if the button merges what was tested.
 * Rules.
 */
async function push(
  host: Host,
  member: Member,
  { commit, isForPush }: OwnCommit,
): Promise<Oid | Stop> {
  const { codeHost, button } = host
  const { mirror, queue } = host.parts
  const { number, head, expect } = member
  const branch = queue.ref.targetBranch
  const pull = await button.pull(number)
  if (!pull || (pull.branch === null && !isForPush)) return press(host, member)
  const over = pull.head === commit ? commit : head
  const words =
    pull.branch === null
      ? `${codeHost.name} cannot merge it after what it is built on has landed, and its fork takes no push of the queue: rebase it onto ${branch}, push, and ask again`
      : await mirror.place(`refs/heads/${pull.branch}`, commit, over)
  if (words !== null) return { is: 'departed', number, isPushedTo: false, words }
  const pushed = await mirror.land({ branch, expect, commit, heads: [] })
  if (pushed.is === 'landed') return commit
  return pushed.is === 'denied' ? press(host, { ...member, head: commit }) : pushed
}

/** Presses the button. Returns the commit, or why there is none. */
async function press(host: Host, member: Member): Promise<Oid | Stop> {
  const { parts, button } = host
  // The message of the commit that was tested: the same as after a push.
  const { title, body: message } = await parts.mirror.describe(member.commit)
  const pressed = { method: methodOf(parts), head: member.head, title, message }
  for (let tries = 1; ; tries++) {
    const answer = await button.press(member.number, pressed)
    if (typeof answer === 'string') return answer
    const outcome = await outcomeOf(host, answer, member)
    if (outcome !== null) return outcome
    // It may be busy with what others do: nothing is known of this one.
    if (tries === mostTries) throw answer.fault
    await wait(button.againMs * 2 ** (tries - 1))
  }
}

/**
 * What a refusal means; null: the host is still busy with the last merge. The answer can be lost although it
 * has merged; then the host refuses the repetition. What somebody has done to the pull request since the poll
 * concerns no other.
 */
async function outcomeOf(
  { parts, codeHost, button }: Host,
  { fault, isBusy }: ButtonRefusal,
  { number, head }: Member,
): Promise<Oid | Stop | null> {
  const pull = await button.pull(number)
  const merged = pull?.mergedAs ?? null
  if (merged !== null) return merged
  if (pull && pull.head !== head) return { is: 'head moved', number }
  if (isBusy) return null
  const { status, message: words } = fault
  if (ownerOf({ attempt: 'button', status, words }) === 'nobody') throw fault
  const departed = await madeReady(parts, codeHost, [number])
  return departed ? { is: 'departed', ...departed } : { is: 'denied', words, status }
}
