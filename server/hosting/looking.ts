/** A look at the repository: what is seen there becomes commands of the queue. */

import type { PullRequestNumber } from '../../engine/index.ts'
import { composeMerge } from './composing.ts'
import { headChanges, type HeadChange } from './head-changes.ts'
import { cardOf, landed, tipOf, type HostedParts } from './hosted-parts.ts'
import { enter, reviewMergeable } from './entering.ts'
import { lookedAt, sightOf, type Sight } from './sight.ts'
import { reportsOf } from './target-changes.ts'
import { wantedOf } from './wanted.ts'
import type { Oid } from '../git/git.ts'

/** Looks, and tells the queue what has changed since the last look. */
export async function follow(parts: HostedParts): Promise<void> {
  const sight = sightOf(await parts.mirror.look(lookedAt), parts.queue.ref.targetBranch)
  parts.sight = sight
  const before = tipOf(parts)
  await followTarget(parts, sight)
  const known = {
    queued: parts.queue.positions().numbers(),
    refs: parts.refs,
    cardOf: (number: PullRequestNumber) => cardOf(parts, number),
  }
  for (const change of headChanges(known, sight)) await tell(parts, change)
  if (tipOf(parts) !== before) await reviewMergeable(parts)
}

async function followTarget(parts: HostedParts, { target }: Sight): Promise<void> {
  if (target === null) {
    throw new Error(`the repository has no branch ${parts.queue.ref.targetBranch}`)
  }
  const tip = tipOf(parts)
  if (target === tip) return
  await parts.mirror.fetch([target])
  if (tip === null) parts.send({ type: 'reportTip', commit: target })
  else await reportChanges(parts, (await landedUnheard(parts, tip, target)) ?? tip, target)
}

/** Tells what other people have pushed since the tip. */
async function reportChanges(parts: HostedParts, tip: Oid, target: Oid): Promise<void> {
  if (target === tip) return
  const { commits, isDescendant } = await parts.mirror.changesOf(tip, target)
  if (!isDescendant) {
    parts.denied = `${parts.queue.ref.targetBranch} was set from ${tip} to ${target}, which does not contain it: check the branch, and resume the queue`
    parts.logger.error({ queue: parts.queue.name, tip, target }, 'the target branch was rewound')
    parts.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  }
  const reports = isDescendant ? reportsOf(parts.queue.engine.queue, commits) : []
  if (reports.at(-1)?.commit !== target) reports.push({ type: 'reportPush', commit: target })
  for (const report of reports) parts.send(report)
}

/** A merge that came on the branch before a crash, and whose answer was lost. Returns the new tip. */
async function landedUnheard(parts: HostedParts, tip: Oid, target: Oid): Promise<Oid | null> {
  const [merge] = wantedOf(parts.queue.engine.queue).merges
  if (!merge) return null
  const made = await composeMerge(parts, tip, merge.numbers)
  const commit = 'commits' in made ? made.commits.at(-1) : undefined
  if (!('commits' in made) || commit === undefined) return null
  if (!(await parts.mirror.isAncestor(commit, target))) return null
  landed(parts, merge.numbers, made.commits)
  return commit
}

async function tell(parts: HostedParts, change: HeadChange): Promise<void> {
  const { number } = change
  if (change.is === 'wished') await enter(parts, change)
  else {
    const reason = change.is === 'closed' ? 'PR_CLOSED' : 'PR_PUSHED_TO'
    parts.send({ type: 'cancelPullRequest', number, reason })
  }
}
