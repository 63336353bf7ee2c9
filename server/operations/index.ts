/** All operations with a body, by their `operationId` in the OpenAPI document. */

import { bodyCheck } from '../http/schema.ts'
import type { OperationObject } from '../contract/openapi.ts'
import { attachCodeHost } from './attach-code-host.ts'
import { finishMerge } from './finish-merge.ts'
import { reportManualMerge } from './report-manual-merge.ts'
import { reportPullRequest } from './report-pull-request.ts'
import { reportPush } from './report-push.ts'
import { reportUnbuildable } from './report-unbuildable.ts'
import { cancelPullRequest } from './cancel-pull-request.ts'
import { createQueue } from './create-queue.ts'
import { deleteQueue } from './delete-queue.ts'
import { getMergeQueueTestingDetails } from './get-merge-queue-testing-details.ts'
import { getQueue } from './get-queue.ts'
import { getSubmittedPullRequest } from './get-submitted-pull-request.ts'
import { linkTicketToTestCase } from './link-ticket-to-test-case.ts'
import { getRepositoryStatus } from './get-repository-status.ts'
import { getTestRunLog } from './get-test-run-log.ts'
import { listPullRequests } from './list-pull-requests.ts'
import { listTestCases } from './list-test-cases.ts'
import { openPullRequest } from './open-pull-request.ts'
import { hiddenFrom, type Naming } from './hidden.ts'
import {
  reject,
  type Answer,
  type Aside,
  type Context,
  type LongOperation,
  type Pieces,
} from './operation.ts'
import { reportTestRun } from './report-test-run.ts'
import { restartTestsOnPullRequest } from './restart-tests-on-pull-request.ts'
import { setImpactedTargets } from './set-impacted-targets.ts'
import { submitPullRequest } from './submit-pull-request.ts'
import { updateQueue } from './update-queue.ts'

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
  submitPullRequest: checked(submitPullRequest),
  cancelPullRequest: checked(cancelPullRequest),
  restartTestsOnPullRequest: checked(restartTestsOnPullRequest),
  getSubmittedPullRequest: checked(getSubmittedPullRequest),
  setImpactedTargets: checked(setImpactedTargets),
  listPullRequests: checked(listPullRequests),
  createQueue: checked(createQueue),
  getQueue: checked(getQueue),
  updateQueue: checked(updateQueue),
  deleteQueue: checked(deleteQueue),
  getMergeQueueTestingDetails: checked(getMergeQueueTestingDetails),
  reportTestRun: checked(reportTestRun),
  linkTicketToTestCase: checked(linkTicketToTestCase),
  listTestCases: checked(listTestCases),
  openPullRequest: checked(openPullRequest),
  attachCodeHost: checked(attachCodeHost),
  finishMerge: checked(finishMerge),
  reportManualMerge: checked(reportManualMerge),
  reportPullRequest: checked(reportPullRequest),
  reportPush: checked(reportPush),
  reportUnbuildable: checked(reportUnbuildable),
  getTestRunLog: checked(getTestRunLog),
  getRepositoryStatus: checked(getRepositoryStatus),
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
