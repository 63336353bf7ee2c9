import {
  isOtherContent,
  isTerminal,
  isTestedWithOthers,
  type Card,
  type PullRequestView,
} from '../../engine/index.ts'
import { dependsOnOf } from '../hosting/depending.ts'
import type { HostAnswer, HostedQueue } from '../hosting/hosting.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { priorityValue, submittedPullRequest } from '../views/pull-request.ts'
import type * as wire from '../contract/wire.ts'
import {
  answer,
  reject,
  withQueue,
  type Answer,
  type Aside,
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
    return hosted ? submitFrom(hosted, body) : submit(context, { queue, body })
  })

type Submission = {
  readonly queue: ManagedQueue
  readonly body: wire.SubmitPullRequest
  /** Frozen by a new submission. */
  readonly card?: Card
}

/** A submission of another head is a push and a new submission. The head comes from the repository. */
function submitFrom(
  hosted: HostedQueue,
  body: wire.SubmitPullRequest,
): Answer<wire.SubmittedPullRequest> | Aside<wire.SubmittedPullRequest> {
  const number = Number(body.pr.number)
  const { sha } = body.pr
  if (sha !== undefined && !isNamed.test(sha)) {
    const text = `pr.sha names no commit: it is ${JSON.stringify(sha)}, expected its id, or at least the first 7 hexadecimal digits of it`
    return reject({ code: 'refused by the repository', refused: { status: 400, text } })
  }
  return {
    aside: async () => {
      const found = await hosted.cardOf(number, body.dependsOn)
      const asked = 'refused' in found ? found : asAsked(body, found.value)
      if ('refused' in asked)
        return () => reject({ code: 'refused by the repository', refused: asked.refused })
      const card = asked.value
      const frozen = { ...body, pr: { ...body.pr, sha: card.head } }
      // The queue may be gone by now.
      return (context) =>
        withQueue(context, body, (queue) => submit(context, { queue, body: frozen, card }))
    },
  }
}

/** A shorter beginning would fit by chance. Rule: A-162. */
const isNamed = /^[\da-f]{7,64}$/i

/** The body can name the head that it submits. */
function asAsked({ pr }: wire.SubmitPullRequest, card: Card): HostAnswer<Card> {
  const { number, sha = card.head } = pr
  if (card.head.startsWith(sha.toLowerCase())) return { value: card }
  const text = `the head of pull request ${number} is ${card.head}, not ${sha}: push it, or submit what is there`
  return { refused: { status: 409, text } }
}

function submit(
  context: Context,
  { queue, body, card }: Submission,
): Answer<wire.SubmittedPullRequest> {
  const { pr, priority, noBatch, dependsOn } = body
  const number = Number(pr.number)
  const known = queue.engine.queue.pullRequests[number]
  const isNew = !known || isTerminal(known.state)
  const requestedPriority = isNew
    ? (priority ?? undefined)
    : priority === null
      ? 'medium'
      : priority
  if (!isNew && leavesABatchUnderTest(queue, known, body)) {
    return reject({ code: 'tested with others', number })
  }
  const outcome = context.manager.send(queue.name, {
    type: 'submitPullRequest',
    number,
    ...(requestedPriority === undefined ? {} : { priority: priorityValue(requestedPriority) }),
    ...(noBatch === undefined ? {} : { noBatch }),
    ...(card ? dependsOnOf(card) : dependsOn && { dependsOn }),
    ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    ...(card === undefined ? {} : { card }),
  })
  if (!outcome.accepted) return reject(outcome.rejection)
  const pullRequest = queue.engine.queue.pullRequests[number]
  if (!pullRequest) throw new Error(`pull request ${number} was submitted but is missing`)
  return answer(submittedPullRequest(queue, pullRequest, context.stateCase))
}

/**
 * True if it becomes `noBatch` while it is tested with others. Decided here and not by the engine, because
 * older servers accepted it and recorded that. Rule: A-224.
 */
function leavesABatchUnderTest(
  { engine }: ManagedQueue,
  known: PullRequestView,
  { pr, noBatch }: wire.SubmitPullRequest,
): boolean {
  if (noBatch !== true || known.noBatch || isOtherContent(known, pr.sha)) return false
  return isTestedWithOthers(engine.queue, known)
}
