/**
 * The identity of a queue: a repository and a target branch.
 *
 * As text: `github.com/acme/shop:main`. Hosts and repository names contain no slash and branches
 * contain no colon, so the text names exactly one queue, also if the owner contains slashes.
 */

import type * as wire from '../contract/wire.ts'

export type Repository = {
  /** Lower case: host names compare case-insensitively. */
  readonly host: string
  readonly owner: string
  readonly name: string
}

export type QueueRef = Repository & { readonly targetBranch: string }

export function repositoryOf({ host, owner, name }: wire.Repository): Repository {
  return { host: host.toLowerCase(), owner, name }
}

export function queueRefOf({ repo, targetBranch }: wire.QueueRef): QueueRef {
  return { host: repo.host.toLowerCase(), owner: repo.owner, name: repo.name, targetBranch }
}

/** `github.com/acme/shop` */
export function nameOfRepository({ host, owner, name }: Repository): string {
  return `${host}/${owner}/${name}`
}

/** `github.com/acme/shop:main` */
export function nameOfQueue(ref: QueueRef): string {
  return `${ref.host}/${ref.owner}/${ref.name}:${ref.targetBranch}`
}

/** Parses the name of a queue. Throws if `text` is not such a name. */
export function queueRefFrom(text: string): QueueRef {
  const branchAt = text.lastIndexOf(':') + 1
  const ownerAt = text.indexOf('/') + 1
  const nameAt = text.lastIndexOf('/', branchAt - 1) + 1
  if (branchAt === 0 || ownerAt === 0 || nameAt <= ownerAt) {
    throw new Error(`"${text}" is not a queue name: expected host/owner/name:branch`)
  }
  return {
    host: text.slice(0, ownerAt - 1),
    owner: text.slice(ownerAt, nameAt - 1),
    name: text.slice(nameAt, branchAt - 1),
    targetBranch: text.slice(branchAt),
  }
}
