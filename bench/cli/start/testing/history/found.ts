/** What is there when all is over. */

import type * as wire from '../../../../../server/contract/wire.ts'
import type { Client } from '../../../../../server/testing/client.ts'
import type { Found } from './call.ts'
import { queueOf, stateIn } from './clients.ts'

/** All pull requests of a repository, in the order in which they were submitted. */
export async function foundIn(client: Client, repository: string): Promise<readonly Found[]> {
  const found: { readonly since: number; readonly each: Found }[] = []
  for (const number of await numbersIn(client, repository)) {
    const body = { ...queueOf(repository), pr: { number }, includeTimeline: true }
    const shown = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', body)
    // A timeline begins with its newest entry.
    const since = Date.parse(shown.timeline?.at(-1)?.timestamp ?? '')
    found.push({ since, each: { repository, number, state: stateIn(shown) } })
  }
  return found.sort((one, other) => one.since - other.since).map(({ each }) => each)
}

/** Whoever waits, and whoever has left. */
async function numbersIn(client: Client, repository: string): Promise<ReadonlySet<number>> {
  const queue = await client.ok<wire.Queue>('getQueue', queueOf(repository))
  const numbers = new Set(queue.enqueuedPullRequests.map(({ prNumber }) => prNumber))
  let cursor: string | undefined
  do {
    const body = { ...queueOf(repository), take: 100, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.ok<wire.PullRequestPage>('listPullRequests', body)
    for (const { prNumber } of page.pullRequests) numbers.add(prNumber)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return numbers
}
