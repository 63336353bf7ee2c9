import { quoteOf } from '../http/answer.ts'
import { nameOfRepository, type Repository } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { contradiction, reject, type OperationRejection, type Rejected } from './operation.ts'

export type QueueSelection = { readonly queues: readonly ManagedQueue[] } | Rejected

/**
 * Selects the queues of one repository, of one host, or all queues if the query names neither. A
 * repository needs its host, but a host stands for itself.
 */
export function queuesRequested(
  registry: QueueRegistry,
  query: URLSearchParams,
  isSeen: (queue: ManagedQueue) => boolean,
): QueueSelection {
  const [repo, host] = [query.get('repo'), query.get('repoHost')?.toLowerCase() ?? null]
  // What the caller may not see does not exist for it.
  const all = [...registry.queues].filter(isSeen)
  if (host === null) {
    if (repo === null) return { queues: all }
    return contradiction('repo needs repoHost, the host of the repository')
  }
  if (!isHost(host)) return contradiction(`repoHost must be a host name, got ${quoteOf(host)}`)
  if (repo === null) {
    return selected(all, ({ ref }) => ref.host === host, { code: 'no such host', host })
  }
  const repository = repositoryIn(repo, host)
  if (!repository) return contradiction(`repo must be owner/name, got ${quoteOf(repo)}`)
  const name = nameOfRepository(repository)
  return selected(all, ({ ref }) => nameOfRepository(ref) === name, {
    code: 'no such repository',
    repository,
  })
}

function selected(
  all: readonly ManagedQueue[],
  isRequested: (queue: ManagedQueue) => boolean,
  rejection: OperationRejection,
): QueueSelection {
  const queues = all.filter(isRequested)
  return queues.length > 0 ? { queues } : reject(rejection)
}

/** Null if the text is not `owner/name`. An owner may contain slashes. */
function repositoryIn(text: string, host: string): Repository | null {
  const nameAt = text.lastIndexOf('/') + 1
  if (nameAt <= 1 || nameAt === text.length) return null
  return { host, owner: text.slice(0, nameAt - 1), name: text.slice(nameAt) }
}

/** A host with a slash could contain the owner, and so name another repository. */
function isHost(text: string): boolean {
  return text !== '' && !text.includes('/')
}
