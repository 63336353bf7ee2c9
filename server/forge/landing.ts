/**
 * Lands pull requests by the merge button, for `squash` and `rebase`: after a push alone the host would show them as
 * closed, not as merged. The host makes the commits, so their trees are compared with what was tested.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ownerOf } from '../faults/owners.ts'
import type { HostLanded, HostLanding, OwnCommit } from '../hosting/forge.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ForgeApi, MergeButton } from './api.ts'
import { ForgeFailed } from './rest.ts'

type Parts = {
  readonly api: ForgeApi
  readonly button: MergeButton
  readonly mirror: Mirror
  readonly branch: string
  readonly logger: Logger
  /** The wait before the first repetition, if the host still looks at the last merge. */
  readonly againMs: number
}

type Member = HostLanding['members'][number]
type Stop = NonNullable<HostLanded['stopped']>

const mostTries = 4

/** One after the other, each only on the commit of the one before. */
export async function landByButton(parts: Parts, landing: HostLanding): Promise<HostLanded> {
  const commits: Oid[] = []
  for (const member of landing.members) {
    const expect = commits.at(-1) ?? landing.expect
    const branches = await parts.mirror.branches()
    if (branches.get(`refs/heads/${parts.branch}`) !== expect) {
      return { commits, stopped: { is: 'moved' } }
    }
    const departed = await landing.departedOf(member.number)
    if (departed) return { commits, stopped: { is: 'departed', ...departed } }
    const own = await landing.ownCommitOf(member.number, expect)
    const merged =
      own !== null
        ? await push(parts, landing, { member, expect, own })
        : await press(parts, landing, member)
    if (typeof merged !== 'string') return { commits, stopped: merged }
    const isDone = (await isOnBranch(parts, merged)) && (await isAsTested(parts, merged, member))
    if (!isDone) return { commits, stopped: { is: 'moved' } }
    commits.push(merged)
  }
  return { commits, stopped: null }
}

/** Somebody can give it another base between the look and the merge: then the button has merged it there. */
async function isOnBranch({ api, mirror, branch, logger }: Parts, merged: Oid): Promise<boolean> {
  const tip = (await mirror.branches()).get(`refs/heads/${branch}`)
  if (tip === merged) return true
  await mirror.fetch(tip === undefined ? [merged] : [merged, tip])
  if (tip !== undefined && (await mirror.isAncestor(merged, tip))) return true
  logger.error({ merged, branch }, `${api.forge} has merged to another branch than was tested`)
  return false
}

/** Somebody can push between the look and the merge. Then the branch holds what nobody has tested. */
async function isAsTested(
  { api, mirror, logger }: Parts,
  merged: Oid,
  { number, commit }: Member,
): Promise<boolean> {
  await mirror.fetch([merged])
  const [theirs, ours] = [await mirror.treeOf(merged), await mirror.treeOf(commit)]
  if (theirs === ours) return true
  const words = `${api.forge} has merged another tree than was tested`
  logger.error({ number, merged, theirs, ours }, words)
  return false
}

/**
 * Makes the commit the head of its own branch, and then of the target branch, so that the host shows it as merged. One
 * whose target branch takes no push is left to the button, and one of a fork, if the button merges what was tested.
 * Rules.
 */
async function push(
  parts: Parts,
  landing: HostLanding,
  {
    member,
    expect,
    own: { commit, isForPush },
  }: { readonly member: Member; readonly expect: Oid; readonly own: OwnCommit },
): Promise<Oid | Stop> {
  const { api, mirror, branch } = parts
  const { number, head } = member
  const pull = await api.pull(number)
  if (!pull || (pull.branch === null && !isForPush)) return press(parts, landing, member)
  const over = pull.head === commit ? commit : head
  const words =
    pull.branch === null
      ? `${api.forge} cannot merge it after what it is built on has landed, and its fork takes no push of the queue: rebase it onto ${branch}, push, and ask again`
      : await mirror.place(`refs/heads/${pull.branch}`, commit, over)
  if (words !== null) return { is: 'departed', number, isPushedTo: false, words }
  const landed = await mirror.land({ branch, expect, commit, heads: [] })
  if (landed.is === 'landed') return commit
  return landed.is === 'denied' ? press(parts, landing, { ...member, head: commit }) : landed
}

/** Presses the button. Returns the commit, or why there is none. */
async function press(
  parts: Parts,
  landing: HostLanding,
  { number, head, commit }: Member,
): Promise<Oid | Stop> {
  // The message of the commit that was tested: the same as after a push.
  const { title, body } = await parts.mirror.describe(commit)
  const pressed = { method: landing.method, head, title, message: body }
  for (let tries = 1; ; tries++) {
    try {
      return await parts.button.press(number, pressed)
    } catch (error) {
      if (!(error instanceof ForgeFailed)) throw error
      const outcome = await outcomeOf(parts, error, { landing, number, head })
      if (outcome !== null) return outcome
      // It may be busy with what others do: nothing is known of this one.
      if (tries === mostTries) throw error
      await wait(parts.againMs * 2 ** (tries - 1))
    }
  }
}

/**
 * What a refusal means; null: the host is still busy with the last merge. The answer can be lost although it
 * has merged; then the host refuses the repetition. What somebody has done to the pull request since the look
 * concerns no other.
 */
async function outcomeOf(
  { api, button }: Parts,
  error: ForgeFailed,
  { landing, number, head }: Pick<Member, 'number' | 'head'> & { readonly landing: HostLanding },
): Promise<Oid | Stop | null> {
  const pull = await api.pull(number)
  const merged = pull?.mergedAs ?? null
  if (merged !== null) return merged
  if (pull && pull.head !== head) return { is: 'head moved', number }
  if (button.isBusy(error)) return null
  const { status, message: words } = error
  if (ownerOf({ attempt: 'button', status, words }) === 'nobody') throw error
  const departed = await landing.departedOf(number)
  return departed ? { is: 'departed', ...departed } : { is: 'denied', words, status }
}
