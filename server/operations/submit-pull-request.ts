import { isTerminal, type Card } from '../../engine/index.ts'
import type { HostedQueue } from '../hosting/hosting.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { submittedPullRequest } from '../views/pull-request.ts'
import { priorityValue } from '../views/priority.ts'
import type * as wire from '../contract/wire.ts'
import {
  answer,
  reject,
  withQueue,
  type Answer,
  type Context,
  type LongOperation,
} from './operation.ts'

/**
 * Submits a pull request, or changes the options of one that is in the queue already. A priority of
 * null means `medium`, which is also the default of a new submission.
 */
export const submitPullRequest: LongOperation<wire.SubmitPullRequest, wire.SubmittedPullRequest> = (
  context,
  body,
) =>
  withQueue(context, body, (queue) => {
    const hosted = context.hosting.of(queue.name)
    return hosted ? submitFrom(hosted, context, { queue, body }) : submit(context, { queue, body })
  })

type Submission = {
  readonly queue: ManagedQueue
  readonly body: wire.SubmitPullRequest
  /** Frozen by a new submission. */
  readonly card?: Card
}

/** A submission of another head is a push and a new submission. The head comes from the repository. */
async function submitFrom(
  hosted: HostedQueue,
  context: Context,
  { queue, body }: Submission,
): Promise<Answer<wire.SubmittedPullRequest>> {
  const number = Number(body.pr.number)
  const found = await hosted.cardOf(number)
  if ('refused' in found) {
    return reject({ code: 'refused by the repository', refused: found.refused })
  }
  const card = found.value
  const { sha = card.head } = body.pr
  if (!card.head.startsWith(sha.toLowerCase())) {
    const text = `the head of pull request ${number} is ${card.head}, not ${sha}: push it, or submit what is there`
    return reject({ code: 'refused by the repository', refused: { status: 409, text } })
  }
  return submit(context, { queue, body: { ...body, pr: { ...body.pr, sha: card.head } }, card })
}

function submit(
  context: Context,
  { queue, body, card }: Submission,
): Answer<wire.SubmittedPullRequest> {
  const { pr, priority, noBatch } = body
  const number = Number(pr.number)
  const known = queue.engine.queue.pullRequests[number]
  const isNew = !known || isTerminal(known.state)
  const requestedPriority = isNew
    ? (priority ?? undefined)
    : priority === null
      ? 'medium'
      : priority
  const outcome = context.manager.send(queue.name, {
    type: 'submitPullRequest',
    number,
    ...(requestedPriority === undefined ? {} : { priority: priorityValue(requestedPriority) }),
    ...(noBatch === undefined ? {} : { noBatch }),
    ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    ...(card === undefined ? {} : { card }),
  })
  if (!outcome.accepted) return reject(outcome.rejection)
  const pullRequest = queue.engine.queue.pullRequests[number]
  if (!pullRequest) throw new Error(`pull request ${number} was submitted but is missing`)
  return answer(submittedPullRequest(queue, pullRequest, context.stateCase))
}
