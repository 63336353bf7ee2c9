/** What a host with pull requests has shown becomes commands of the queue. */

import type { Card, PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { cardOrRefusal, isMergeable } from './entering.ts'
import { departureOf, type Forge, type ForgeSight, type HostRequest, type Pull } from './forge.ts'
import { cardOf, tipOf, type HostedParts } from './hosted-parts.ts'
import type { HostAnswer, HostRefusal } from './hosting.ts'
import { pullRef, sightOf, type Sight } from './sight.ts'

/**
 * Looks at the branches by git, which never answers with an old commit, and then at the pull requests by
 * the host. They are in the sight under the refs that the host gives them.
 */
export async function lookAtHost(
  parts: HostedParts,
  forge: Forge,
): Promise<{ readonly sight: Sight; readonly seen: ForgeSight }> {
  const branches = await parts.mirror.branches()
  const seen = await forge.look(frozenHeads(parts))
  const open = [...seen.pulls.values()].filter(({ state }) => state === 'open')
  const heads = [...branches, ...open.map(({ number, head }) => [pullRef(number), head] as const)]
  return { sight: sightOf(new Map(heads), parts.queue.ref.targetBranch), seen }
}

function frozenHeads(parts: HostedParts): Map<PullRequestNumber, Oid> {
  const heads = new Map<PullRequestNumber, Oid>()
  for (const number of parts.queue.positions().numbers()) {
    const head = cardOf(parts, number)?.head
    if (head !== undefined) heads.set(number, head)
  }
  return heads
}

/** Tells the queue who leaves it, who is ready, and who is asked for, in this order. */
export async function followPulls(
  parts: HostedParts,
  forge: Forge,
  /** `answered`: the queue is being told already that it has merged them. */
  {
    pulls,
    reviewed,
    requests,
    answered,
  }: ForgeSight & { readonly answered: readonly PullRequestNumber[] },
): Promise<void> {
  for (const number of frozenHeads(parts).keys()) {
    const pull = pulls.get(number)
    if (pull && !answered.includes(number)) leave(parts, pull)
  }
  await parts.settled()
  for (const number of reviewed) {
    const card = isQueued(parts, number) ? cardOf(parts, number) : null
    const isReady = parts.queue.engine.queue.pullRequests[number]?.state !== 'NOT_READY'
    // It was approved before, and is.
    if (!card || (isReady && forge.isApproved(number))) continue
    const mergeable = await isMergeable(parts, number, card)
    parts.send({ type: 'reportPullRequest', number, mergeable })
  }
  await parts.settled()
  for (const request of requests) request.answer(await grant(parts, forge, request))
}

/** A submission freezes its head: whatever the host changes about it takes it out of the queue. */
export function leave(parts: HostedParts, pull: Pull): void {
  const { number } = pull
  const frozen = cardOf(parts, number)?.head
  if (frozen === undefined || !isQueued(parts, number)) return
  const reason = departureOf(pull, frozen, parts.queue.ref.targetBranch)
  if (reason === 'merged') {
    const commit = pull.mergedAs ?? tipOf(parts)
    parts.send({ type: 'reportManualMerge', number, ...(commit === null ? {} : { commit }) })
  } else if (reason !== null) parts.send({ type: 'cancelPullRequest', number, reason })
}

/** Does what somebody asks for on the host. Returns why not, in words; null if it is done. */
async function grant(
  parts: HostedParts,
  forge: Forge,
  request: HostRequest,
): Promise<string | null> {
  const { number, by } = request
  if (request.is !== 'submit') {
    if (!isQueued(parts, number)) return 'it is not in the queue'
    const outcome = await parts.ask(
      request.is === 'cancel'
        ? { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' }
        : { type: 'restartTests', number },
      by,
    )
    return outcome.accepted ? null : 'it has no tests to restart'
  }
  const found = await cardFrom(parts, forge, { number, asked: request.head })
  if ('refused' in found) return found.refused.text
  const card = found.value
  const { priority, noBatch } = request
  const options = {
    ...(priority === undefined ? {} : { priority }),
    ...(noBatch === undefined ? {} : { noBatch }),
  }
  const command = { type: 'submitPullRequest', number, sha: card.head, card, ...options } as const
  const outcome = await parts.ask(command, by)
  return outcome.accepted ? null : 'the queue does not take it now'
}

/** The card of a pull request as the host shows it this moment, if it is still at the commit that was asked for. */
export async function cardFrom(
  parts: HostedParts,
  forge: Forge,
  { number, asked }: { readonly number: PullRequestNumber; readonly asked: Oid },
): Promise<HostAnswer<Card>> {
  const pull = await forge.pull(number)
  const refused = refusalOf(parts, number, pull)
  if (refused || !pull) return { refused: refused ?? missing(number) }
  const { head } = pull
  if (head !== asked) return { refused: pushedSince(asked, head) }
  return cardOrRefusal(parts, { number, ref: pullRef(number), head }, pull)
}

export function pushedSince(asked: Oid, head: string): HostRefusal {
  const text = `somebody has pushed since ${asked} was asked for, and its head is ${head} now: ask again`
  return { status: 409, text }
}

const missing = (number: number): HostRefusal => {
  return { status: 404, text: `there is no pull request ${number}` }
}

/** A pull request that would leave at once does not enter. */
function refusalOf(
  { queue }: HostedParts,
  number: PullRequestNumber,
  pull: Pull | null,
): HostRefusal | null {
  if (!pull) return missing(number)
  const { targetBranch } = queue.ref
  const text =
    pull.state !== 'open'
      ? `pull request ${number} is ${pull.state}`
      : pull.base !== targetBranch
        ? `pull request ${number} wishes to merge into ${pull.base}, not into ${targetBranch}`
        : pull.isDraft
          ? `pull request ${number} is a draft: mark it as ready for review`
          : null
  return text === null ? null : { status: 409, text }
}

function isQueued({ queue }: HostedParts, number: PullRequestNumber): boolean {
  return [...queue.positions().numbers()].includes(number)
}
