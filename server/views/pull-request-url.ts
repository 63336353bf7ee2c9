/** The address of a pull request on its code host. */

import type { Repository } from '../identity/queue-ref.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

type Queue = Pick<ManagedQueue, 'name' | 'ref'>

/** What knows the pages of a queue's pull requests: null of those without a repository, or without pages. */
export type Pages = {
  of(queue: string): { pageOf(number: number): string | null } | null
}

/** The address at which the code host shows the pull request. */
export function pullRequestUrl(pages: Pages, { name, ref }: Queue, number: number): string {
  return pages.of(name)?.pageOf(number) ?? byName(ref, number)
}

/** The same for a link; null: there is no such page, because the repository is only one of git. */
export function pullRequestLink(pages: Pages, queue: Queue, number: number): string | null {
  const hosted = pages.of(queue.name)
  if (hosted) return hosted.pageOf(number)
  return queue.ref.host.includes('.') ? byName(queue.ref, number) : null
}

/** Of a queue without a repository here only the name of the host is known. */
function byName({ host, owner, name }: Repository, number: number): string {
  const path = [...owner.split('/'), name].map(encodeURIComponent).join('/')
  const page = isOnGitLab(host, owner) ? '-/merge_requests' : 'pull'
  return `https://${host}/${path}/${page}/${number}`
}

/** Of the known code hosts only GitLab has nested groups, also under a name of its own. */
function isOnGitLab(host: string, owner: string): boolean {
  return owner.includes('/') || /(?:^|[.-])gitlab(?:[.:-]|$)/.test(host)
}
