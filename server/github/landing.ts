/**
 * Lands pull requests by the merge button, for `squash` and `rebase`: after a push GitHub would show them as
 * closed, not as merged. GitHub makes the commits, so their trees are compared with what was tested.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { HostLanded, HostLanding } from '../hosting/forge.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import { messageOf, type CardToCommit } from '../git/card.ts'
import type { GitHubClient } from './client.ts'
import { GitHubFailed } from './failed.ts'
import { pullAt } from './pulls.ts'

type Parts = {
  readonly client: GitHubClient
  readonly mirror: Mirror
  readonly branch: string
  readonly logger: Logger
  readonly cardOf: (number: number) => CardToCommit | null
  /** The wait before the first repetition, if GitHub still looks at the last merge. */
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
    const merged = await press(parts, landing, member)
    if (typeof merged !== 'string') return { commits, stopped: merged }
    if (!(await isAsTested(parts, merged, member))) return { commits, stopped: { is: 'moved' } }
    commits.push(merged)
  }
  return { commits, stopped: null }
}

/** Somebody can push between the look and the merge. Then the branch holds what nobody has tested. */
async function isAsTested(
  { mirror, logger }: Parts,
  merged: Oid,
  { number, commit }: Member,
): Promise<boolean> {
  await mirror.fetch([merged])
  const [theirs, ours] = [await mirror.treeOf(merged), await mirror.treeOf(commit)]
  if (theirs === ours) return true
  logger.error({ number, merged, theirs, ours }, 'GitHub has merged another tree than was tested')
  return false
}

/** Presses the button. Returns the commit, or why there is none. */
async function press(
  parts: Parts,
  { method }: HostLanding,
  { number, head }: Member,
): Promise<Oid | Stop> {
  const octokit = await parts.client.octokit()
  const card = parts.cardOf(number)
  const [title = '', ...rest] = card ? messageOf(card).split('\n') : []
  const message = { commit_title: title, commit_message: rest.join('\n').trim() }
  for (let tries = 1; ; tries++) {
    try {
      const route = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge'
      const { data } = await octokit.request(route, {
        ...{ ...parts.client.at, pull_number: number, sha: head },
        merge_method: method === 'merge_commit' ? 'merge' : method,
        ...(method === 'rebase' ? {} : message),
      })
      return data.sha
    } catch (error) {
      if (!(error instanceof GitHubFailed)) throw error
      const outcome = await outcomeOf(parts, error, { number, head })
      if (outcome !== null) return outcome
      if (tries === mostTries) return { is: 'moved' }
      await wait(parts.againMs * 2 ** (tries - 1))
    }
  }
}

/** What a refusal means; null: GitHub is still busy with the last merge. The answer can be lost although it has merged; then GitHub refuses the repetition. */
async function outcomeOf(
  { client }: Parts,
  error: GitHubFailed,
  { number, head }: Pick<Member, 'number' | 'head'>,
): Promise<Oid | Stop | null> {
  const pull = await pullAt(client, number)
  const merged = pull?.mergedAs ?? null
  if (merged !== null) return merged
  if (pull && pull.head !== head) return { is: 'head moved', number }
  if (error.status === 405 && /base branch was modified/i.test(error.message)) return null
  if (error.status === 0 || error.status >= 500) throw error
  return { is: 'denied', words: error.message }
}
