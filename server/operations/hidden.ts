/**
 * Keeps a token with patterns away from other repositories. The check comes before any look at what
 * exists, so the response is the same whether the repository is known or not.
 */

import { sees } from '../auth/caller.ts'
import type * as wire from '../contract/wire.ts'
import { repositoryOf } from '../identity/queue-ref.ts'
import type { OperationRejection } from './errors.ts'
import type { Context } from './operation.ts'

/** What a body can name that belongs to a repository. */
export type Naming = { readonly repo?: wire.Repository; readonly testRunId?: string }

/** Null if the caller may use what the body names; the body fits its schema. */
export function hiddenFrom({ caller, manager }: Context, body: Naming): OperationRejection | null {
  if (caller.repos === null) return null
  const { repo, testRunId } = body
  if (repo !== undefined) {
    const repository = repositoryOf(repo)
    return sees(caller, repository) ? null : { code: 'not for this token', repository }
  }
  if (testRunId === undefined) return null
  const found = manager.registry.findTestRun(testRunId)
  const isHidden = found !== null && !sees(caller, found.queue.ref)
  return isHidden ? { code: 'no such test run', testRun: testRunId } : null
}
