/** All operations with a body, by their `operationId` in the OpenAPI document. */

import { sees } from '../auth/tokens.ts'
import { bodyCheck } from '../http/schema.ts'
import type { OperationObject } from '../contract/openapi.ts'
import type * as wire from '../contract/wire.ts'
import { repositoryOf } from '../identity/queue-ref.ts'
import {
  type OperationRejection,
  reject,
  type Answer,
  type Aside,
  type Context,
  type LongOperation,
  type Pieces,
} from './operation.ts'
import * as pullRequests from './pull-requests.ts'
import * as queues from './queues.ts'
import { setImpactedTargets } from './impacted-targets.ts'
import * as testRuns from './test-runs.ts'
import * as repositories from './repository.ts'

export type OperationOutcome = Answer<object> | Pieces | Aside

type CheckedBody =
  /** Describes a body that does not match its schema. */
  | { readonly faults: string }
  | { readonly work: (context: Context) => OperationOutcome | Promise<OperationOutcome> }

/**
 * Checks a body of so many bytes; what the operation does with it comes after. The check is before the entrance
 * to the queues, because it takes long for a large body, and for the first one, whose schema is compiled: a turn
 * on a shared log holds up all servers, and the database ends it after a second.
 */
export type CheckedOperation = (body: unknown, bytes: number) => CheckedBody

const operations: Readonly<Record<string, (definition: OperationObject) => CheckedOperation>> = {
  submitPullRequest: checked(pullRequests.submitPullRequest),
  cancelPullRequest: checked(pullRequests.cancelPullRequest),
  restartTestsOnPullRequest: checked(pullRequests.restartTestsOnPullRequest),
  getSubmittedPullRequest: checked(pullRequests.getSubmittedPullRequest),
  setImpactedTargets: checked(setImpactedTargets),
  listPullRequests: checked(pullRequests.listPullRequests),
  createQueue: checked(queues.createQueue),
  getQueue: checked(queues.getQueue),
  updateQueue: checked(queues.updateQueue),
  deleteQueue: checked(queues.deleteQueue),
  getMergeQueueTestingDetails: checked(testRuns.getMergeQueueTestingDetails),
  reportTestRun: checked(testRuns.reportTestRun),
  linkTicketToTestCase: checked(queues.linkTicketToTestCase),
  listTestCases: checked(queues.listTestCases),
  quarantineTest: checked(queues.quarantineTest),
  releaseTest: checked(queues.releaseTest),
  getQuarantine: checked(queues.getQuarantine),
  openPullRequest: checked(repositories.openPullRequest),
  attachCodeHost: checked(queues.attachCodeHost),
  finishMerge: checked(pullRequests.finishMerge),
  reportManualMerge: checked(pullRequests.reportManualMerge),
  reportPullRequest: checked(pullRequests.reportPullRequest),
  reportPush: checked(pullRequests.reportPush),
  reportUnbuildable: checked(pullRequests.reportUnbuildable),
  getTestRunLog: checked(repositories.getTestRunLog),
  getRepositoryStatus: checked(repositories.getRepositoryStatus),
}

/** Returns the handler of an operation. Throws if there is none. */
export function operationFor(definition: OperationObject): CheckedOperation {
  const make = operations[definition.operationId]
  if (!make) throw new Error(`no handler for operationId ${definition.operationId}`)
  return make(definition)
}

/** Wraps an operation, so that it is called only with a body that matches its schema. */
function checked<Body extends Naming>(operation: LongOperation<Body, object>) {
  return (definition: OperationObject): CheckedOperation => {
    const { fits, faultsOf } = bodyCheck<Body>(definition)
    return (body, bytes) => {
      if (!fits(body)) return { faults: faultsOf(body, bytes) }
      const work = (context: Context): OperationOutcome | Promise<OperationOutcome> => {
        const rejection = hiddenFrom(context, body)
        return rejection ? reject(rejection) : operation(context, body)
      }
      return { work }
    }
  }
}

// Keeps a token with patterns away from other repositories. The check comes before any look at what
// exists, so the response is the same whether the repository is known or not.

/** What a body can name that belongs to a repository. */
type Naming = { readonly repo?: wire.Repository; readonly testRunId?: string }

/** Null if the caller may use what the body names; the body fits its schema. */
function hiddenFrom({ caller, manager }: Context, body: Naming): OperationRejection | null {
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
