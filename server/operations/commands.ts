/** Operations that send one command to a queue: which one each makes of its body. */

import type { RecordedCommand } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import {
  type Operation,
  done,
  reject,
  unknownTestRun,
  withOwnHost,
  withQueue,
} from './operation.ts'

/** Sends the command to the queue that the body names. */
const sending =
  <Body extends wire.QueueRef>(
    commandOf: (body: Body) => RecordedCommand,
    within = withQueue<ReturnType<typeof done>>,
  ): Operation<Body, wire.Nothing> =>
  (context, body) =>
    within(context, body, ({ name }) => done(context.manager.send(name, commandOf(body))))

/** The same for what the server finds out by itself where it works on the repository. */
const reporting = <Body extends wire.QueueRef>(
  commandOf: (body: Body) => RecordedCommand,
): Operation<Body, wire.Nothing> => sending(commandOf, withOwnHost)

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

/** Deletes an empty queue and its history. */
export const deleteQueue = sending((_body: wire.QueueRef) => ({ type: 'deleteQueue' }))

/** The queue asks its clients for each merge from now on. */
export const attachCodeHost = reporting(({ codeHost }: wire.AttachCodeHost) => ({
  type: 'attachHost',
  codeHost,
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
