import type { OperationRejection } from '../errors.ts'
import { nameOfRepository, type Repository } from '../yard/queue-ref.ts'
import type { Register } from '../yard/register.ts'
import type { YardQueue } from '../yard/yard-queue.ts'

export type Asked =
  | { readonly queues: readonly YardQueue[]; readonly rejection: null }
  | { readonly queues: null; readonly rejection: OperationRejection }

/** The queues whose metrics are asked for: of one repository, or of all. */
export function queuesAskedFor(register: Register, query: URLSearchParams): Asked {
  const [repo, host] = [query.get('repo'), query.get('repoHost')]
  const all = [...register.queues]
  if (repo === null && host === null) return { queues: all, rejection: null }
  const nameAt = (repo ?? '').lastIndexOf('/') + 1
  if (repo === null || host === null || nameAt <= 1 || nameAt === repo.length || !isHost(host)) {
    const text = 'repo (owner/name) and repoHost go together: give both, or none for all'
    return { queues: null, rejection: { code: 'contradiction', text } }
  }
  const owner = repo.slice(0, nameAt - 1)
  const repository: Repository = { host: host.toLowerCase(), owner, name: repo.slice(nameAt) }
  const name = nameOfRepository(repository)
  const queues = all.filter(({ ref }) => nameOfRepository(ref) === name)
  if (queues.length > 0) return { queues, rejection: null }
  return { queues: null, rejection: { code: 'no such repository', repository } }
}

/** With a slash in it, it would take in the owner, and name another repository. */
function isHost(text: string): boolean {
  return text !== '' && !text.includes('/')
}
