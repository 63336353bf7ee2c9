import type { OperationRejection } from './errors.ts'
import { nameOfRepository, type Repository } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

export type QueueSelection =
  | { readonly queues: readonly ManagedQueue[]; readonly rejection: null }
  | { readonly queues: null; readonly rejection: OperationRejection }

/** Selects the queues of one repository, or all queues if the query names none. */
export function queuesRequested(registry: QueueRegistry, query: URLSearchParams): QueueSelection {
  const [repo, host] = [query.get('repo'), query.get('repoHost')]
  const all = [...registry.queues]
  if (repo === null && host === null) return { queues: all, rejection: null }
  const nameAt = (repo ?? '').lastIndexOf('/') + 1
  if (repo === null || host === null || nameAt <= 1 || nameAt === repo.length || !isHost(host)) {
    const text = 'repo (owner/name) and repoHost go together: give both, or neither for all queues'
    return { queues: null, rejection: { code: 'contradiction', text } }
  }
  const owner = repo.slice(0, nameAt - 1)
  const repository: Repository = { host: host.toLowerCase(), owner, name: repo.slice(nameAt) }
  const name = nameOfRepository(repository)
  const queues = all.filter(({ ref }) => nameOfRepository(ref) === name)
  if (queues.length > 0) return { queues, rejection: null }
  return { queues: null, rejection: { code: 'no such repository', repository } }
}

/** A host with a slash could contain the owner, and so name another repository. */
function isHost(text: string): boolean {
  return text !== '' && !text.includes('/')
}
