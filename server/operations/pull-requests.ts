/**
 * Operations about pull requests: they show, submit and cancel them, and report what a code host did with them and
 * with their branch.
 */

import {
  enqueuedPullRequest,
  submittedPullRequest,
  timelineOf,
  priorityValue,
} from '../views/pull-request.ts'
import { explained } from '../views/why.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import {
  isOtherContent,
  isTerminal,
  isTestedWithOthers,
  type PullSnapshot,
  type PullRequestView,
} from '../../engine/index.ts'
import { dependsOnOf } from '../hosting/depending.ts'
import type { HostAnswer, HostedQueue } from '../hosting/hosting.ts'
import {
  answer,
  reject,
  withQueue,
  type Operation,
  type Answer,
  type Aside,
  type Context,
  type LongOperation,
  done,
  unknownTestRun,
  withOwnHost,
  reporting,
  sending,
} from './operation.ts'

/** Returns a pull request that was ever submitted, also after it has left the queue. */
export const getSubmittedPullRequest: Operation<
  wire.GetSubmittedPullRequest,
  wire.SubmittedPullRequest
> = (context, body) =>
  withQueue(context, body, (queue) => {
    const number = Number(body.pr.number)
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) {
      const { forgottenUntil } = queue.history.conclusions.forgotten
      const refused = context.hosting.of(queue.name)?.refusalOf(number) ?? null
      return reject({ code: 'never submitted', number, forgottenUntil, refused })
    }
    const view = submittedPullRequest(queue, pullRequest, context.stateCase)
    const { includeTimeline, includeWhy } = body
    if (includeTimeline === true) view.timeline = timelineOf(queue, pullRequest, context.stateCase)
    if (includeWhy === true) view.why = explained(queue, pullRequest, context.stateCase)
    return answer(view)
  })

const defaultTake = 50

/**
 * Lists the pull requests that have left the queue, newest conclusion first. The cursor is an index
 * in the list of conclusions; the next page starts before it. So conclusions between two requests
 * do not shift the pages.
 */
export const listPullRequests: Operation<wire.ListPullRequests, wire.PullRequestPage> = (
  context,
  body,
) =>
  withQueue(context, body, (queue) => {
    const { conclusions } = queue.history
    const { take = defaultTake, state } = body
    const since = body.since === undefined ? -Infinity : Date.parse(body.since)
    const until = body.until === undefined ? Infinity : Date.parse(body.until)
    const from = Math.min(Number(body.cursor ?? conclusions.end), conclusions.end)
    const pullRequests: wire.EnqueuedPullRequest[] = []
    for (let position = from - 1; position >= conclusions.forgotten.first; position--) {
      const concluded = concludedAt(queue, position)
      if (!concluded) continue
      if (concluded.stateChangedAt < since) break
      if (concluded.stateChangedAt > until) continue
      if (state !== undefined && concluded.state !== state) continue
      if (pullRequests.length === take)
        return answer({ pullRequests, nextCursor: String(position + 1) })
      pullRequests.push(enqueuedPullRequest(queue, concluded, context.stateCase))
    }
    return answer({ pullRequests })
  })

/** The pull request whose latest conclusion has this index; undefined if it came back since. */
function concludedAt({ engine, history }: ManagedQueue, position: number) {
  const number = history.conclusions.at(position) ?? 0
  const isLatest = history.pullRequests.get(number)?.concludedAs === position
  return isLatest ? engine.queue.pullRequests[number] : undefined
}

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
  readonly snapshot?: PullSnapshot
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
      const found = await hosted.snapshotOf(number, body.dependsOn)
      const asked = 'refused' in found ? found : asAsked(body, found.value)
      if ('refused' in asked)
        return () => reject({ code: 'refused by the repository', refused: asked.refused })
      const snapshot = asked.value
      const frozen = { ...body, pr: { ...body.pr, sha: snapshot.head } }
      // The queue may be gone by now.
      return (context) =>
        withQueue(context, body, (queue) => submit(context, { queue, body: frozen, snapshot }))
    },
  }
}

/** A shorter beginning would fit by chance. Rule: A-162. */
const isNamed = /^[\da-f]{7,64}$/i

/** The body can name the head that it submits. */
function asAsked({ pr }: wire.SubmitPullRequest, snapshot: PullSnapshot): HostAnswer<PullSnapshot> {
  const { number, sha = snapshot.head } = pr
  if (snapshot.head.startsWith(sha.toLowerCase())) return { value: snapshot }
  const text = `the head of pull request ${number} is ${snapshot.head}, not ${sha}: push it, or submit what is there`
  return { refused: { status: 409, text } }
}

function submit(
  context: Context,
  { queue, body, snapshot }: Submission,
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
    ...(snapshot ? dependsOnOf(snapshot) : dependsOn && { dependsOn }),
    ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    ...(snapshot === undefined ? {} : { card: snapshot }),
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

// Operations that send one command to a queue: which one each makes of its body.

/** Cancels a pull request in the queue. */
export const cancelPullRequest = sending(({ pr }: wire.PullRequestInQueue) => ({
  type: 'cancelPullRequest',
  number: Number(pr.number),
  reason: 'USER_REQUESTED',
}))

/** Runs the tests of a pull request again, without a change of its position. */
export const restartTestsOnPullRequest = sending(({ pr }: wire.PullRequestInQueue) => ({
  type: 'restartTests',
  number: Number(pr.number),
}))

/** Somebody pushed to the target branch: all are tested again. */
export const reportPush = reporting(({ commit }: wire.ReportPush) => ({
  type: 'reportPush',
  ...given({ commit }),
}))

/** Somebody merged the pull request by hand. */
export const reportManualMerge = reporting(({ pr, commit }: wire.ReportManualMerge) => ({
  type: 'reportManualMerge',
  number: Number(pr.number),
  ...given({ commit }),
}))

/** The code host has merged what was asked for, or has not. */
export const finishMerge = reporting((body: wire.FinishMerge) => {
  const { pr, outcome, reason = 'GITHUB_API_MERGE_PR_FAILED', numbers, commits } = body
  const refusals = { merged: null, refused: reason, targetMoved: 'TARGET_BRANCH_MOVED' } as const
  return {
    type: 'finishMerge',
    number: Number(pr.number),
    refused: refusals[outcome],
    ...given({ numbers: numbers?.map(Number), commits }),
  }
})

/** Keeps facts about a pull request, also before its submission. */
export const reportPullRequest = reporting((body: wire.ReportPullRequest) => {
  const { pr, title, author, base, mergeable, greenOnTip, conflictsWith } = body
  return {
    type: 'reportPullRequest',
    number: Number(pr.number),
    ...given({ title, author, base, mergeable, greenOnTip }),
    ...given({ conflictsWith: conflictsWith?.map(Number) }),
  }
})

/** The commits of a test run cannot be made, because of a text conflict. */
export const reportUnbuildable: Operation<wire.ReportUnbuildable, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    const { registry, send } = context.manager
    const { testRunId, pr, conflictsWith } = body
    const found = registry.findTestRun(testRunId)
    if (found?.queue.name !== name) return reject(unknownTestRun(registry, testRunId))
    return done(
      send(name, {
        type: 'reportUnbuildable',
        testRun: found.run,
        number: Number(pr.number),
        conflictsWith: conflictsWith === null ? 'tip' : Number(conflictsWith),
      }),
    )
  })

/** The fields that are given: a command has no field that is undefined. */
function given<Fields extends object>(
  fields: Fields,
): {
  readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
} {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const some: { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } = {}
  return Object.assign(some, Object.fromEntries(entries))
}
