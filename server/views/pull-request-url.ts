/** The address of a pull request on its code host. */

import type { Repository } from '../identity/queue-ref.ts'

/** Returns the address at which the code host shows the pull request. */
export function pullRequestUrl({ host, owner, name }: Repository, number: number): string {
  const path = [...owner.split('/'), name].map(encodeURIComponent).join('/')
  const page = isOnGitLab(host, owner) ? '-/merge_requests' : 'pull'
  return `https://${host}/${path}/${page}/${number}`
}

/** Of the known code hosts only GitLab has nested groups, also under a name of its own. */
function isOnGitLab(host: string, owner: string): boolean {
  return owner.includes('/') || /(?:^|[.-])gitlab(?:[.:-]|$)/.test(host)
}
