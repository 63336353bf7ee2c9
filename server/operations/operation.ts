/**
 * An operation takes a body that matches its schema, and returns a response body or a rejection.
 * The OpenAPI document defines its schema and its scopes.
 */

import {
  type Millis,
  type RecordedCommand,
  quarantineLimit,
  type Rejection,
} from '../../engine/index.ts'
import type { Caller } from '../auth/tokens.ts'
import type { Hosting, HostRefusal } from '../hosting/hosting.ts'
import type { StateCase } from '../views/state-case.ts'
import type * as wire from '../contract/wire.ts'
import {
  nameOfQueue,
  queueRefOf,
  nameOfRepository,
  type QueueRef,
  type Repository,
} from '../identity/queue-ref.ts'
import type { ManagerOutcome, ManagerRejection, QueueRegistry } from '../queues/queue-registry.ts'
import type { PastRun } from '../history/records.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { type ErrorResponse, quoteOf } from '../http/answer.ts'
import { several } from '../terminal/text.ts'

/** The queues as one request sees them: `send` notes who sends a command. */
type RequestManager = Pick<QueueManager, 'registry'> & {
  readonly send: (queue: string | null, command: RecordedCommand) => ManagerOutcome
  /** The instant that a command would have now. */
  readonly now: Millis
}

export type Context = {
  readonly manager: RequestManager
  readonly caller: Caller
  readonly stateCase: StateCase
  readonly hosting: Hosting
}

export type Rejected = { readonly rejection: AnyRejection }
/** A body of the shape `Ok` as JSON in pieces, for one that is too long for one turn of the loop. */
export type Pieces = { readonly pieces: Iterable<string> }
/** What is asked beside the queues, and how to go on with what was found. */
export type Aside<Ok extends object = object> = {
  readonly aside: () => Promise<(context: Context) => Answer<Ok>>
}
export type Answer<Ok extends object> = { readonly body: Ok } | Rejected

export type Operation<Body, Ok extends object> = (context: Context, body: Body) => Answer<Ok>

/** An operation with work that can be long: it takes several turns of the event loop, or asks a repository. */
export type LongOperation<Body, Ok extends object> = (
  context: Context,
  body: Body,
) => Answer<Ok> | Pieces | Aside<Ok> | Promise<Answer<Ok> | Pieces>

export function answer<Ok extends object>(body: Ok): Answer<Ok> {
  return { body }
}

export function reject(rejection: AnyRejection): Rejected {
  return { rejection }
}

/** The body contradicts itself, or what it names cannot be. */
export function contradiction(text: string): Rejected {
  return reject({ code: 'contradiction', text })
}

/** Returns an empty response body for an accepted command. */
export function done(outcome: ManagerOutcome): Answer<wire.Nothing> {
  return outcome.accepted ? answer({}) : reject(outcome.rejection)
}

/** Calls `use` with the queue that the body names. Rejects if there is no such queue. */
export function withQueue<Result>(
  { manager }: Context,
  body: wire.QueueRef,
  use: (queue: ManagedQueue) => Result,
): Result | Rejected {
  const ref = queueRefOf(body)
  const queue = manager.registry.find(nameOfQueue(ref))
  return queue ? use(queue) : reject({ code: 'no such queue', queue: ref })
}

/** Like `withQueue`, for what the server finds out by itself in a queue with a repository. */
export function withOwnHost<Result>(
  context: Context,
  body: wire.QueueRef,
  use: (queue: ManagedQueue) => Result,
): Result | Rejected {
  return withQueue(context, body, (queue) =>
    context.hosting.of(queue.name)
      ? reject({ code: 'works itself', queue: queue.ref })
      : use(queue),
  )
}

/** Sends the command to the queue that the body names. */
export const sending =
  <Body extends wire.QueueRef>(
    commandOf: (body: Body) => RecordedCommand,
    within = withQueue<ReturnType<typeof done>>,
  ): Operation<Body, wire.Nothing> =>
  (context, body) =>
    within(context, body, ({ name }) => done(context.manager.send(name, commandOf(body))))

/** The same for what the server finds out by itself where it works on the repository. */
export const reporting = <Body extends wire.QueueRef>(
  commandOf: (body: Body) => RecordedCommand,
): Operation<Body, wire.Nothing> => sending(commandOf, withOwnHost)

/** Why a test run is not known: it never existed, or the hours in which it started are lost. */
export function unknownTestRun(registry: QueueRegistry, testRun: string): OperationRejection {
  const epoch = registry.lostEpochOf(testRun)
  if (epoch === null) return { code: 'no such test run', testRun }
  return { code: 'lost test run', testRun, epoch }
}

// The error responses of operations: one table from the rejection to its status and text.

/** Why a request was rejected before a command was made from it. */
export type OperationRejection =
  | {
      readonly code: 'never submitted'
      readonly number: number
      /** The instant up to which pull requests are forgotten; 0 if none is. */
      readonly forgottenUntil: number
      /** Why its branch cannot enter; null: that is not known. */
      readonly refused: string | null
    }
  | { readonly code: 'no such test run'; readonly testRun: string }
  | { readonly code: 'lost test run'; readonly testRun: string; readonly epoch: string }
  | { readonly code: 'no such repository'; readonly repository: Repository }
  | { readonly code: 'no such host'; readonly host: string }
  | { readonly code: 'contradiction'; readonly text: string }
  | { readonly code: 'not for this token'; readonly repository: Repository }
  /** The repository of the queue does not have or allow what was asked for. */
  | { readonly code: 'refused by the repository'; readonly refused: HostRefusal }
  | { readonly code: 'no repository'; readonly queue: QueueRef }
  /** It cannot become `noBatch`: the others of its batch would be tested again. */
  | { readonly code: 'tested with others'; readonly number: number }
  /** The server sees this itself. */
  | { readonly code: 'works itself'; readonly queue: QueueRef }
  | {
      readonly code: 'no log'
      readonly run: number
      readonly past: Pick<PastRun, 'url' | 'outcome'>
    }

export type AnyRejection = Rejection | ManagerRejection | OperationRejection

type Code = AnyRejection['code']
type RejectionOf<Requested extends Code> = Extract<AnyRejection, { code: Requested }>

function whyNoLog(outcome: PastRun['outcome']): string {
  if (outcome === null) return 'its tests have not begun, or another system runs them'
  const others = 'another system tested it, or it is old'
  return outcome === 'cancelled' ? `it was cancelled before its tests began, ${others}` : others
}

const notFound = (text: string): ErrorResponse => ({ status: 404, text })
const badRequest = (text: string): ErrorResponse => ({ status: 400, text })

const errorResponses: {
  readonly [Requested in Code]: (rejection: RejectionOf<Requested>) => ErrorResponse
} = {
  'no such queue': ({ queue }) =>
    notFound(`there is no merge queue for branch ${branchOf(queue)} in ${nameOfRepository(queue)}`),
  'no such repository': ({ repository }) =>
    notFound(`there is no merge queue in ${nameOfRepository(repository)}`),
  'no such host': ({ host }) => notFound(`there is no merge queue on host ${quoteOf(host)}`),
  'never submitted': ({ number, forgottenUntil, refused }) => {
    const never = `pull request ${number} was never submitted`
    if (refused !== null) return notFound(`${never}, because its branch cannot enter: ${refused}`)
    if (forgottenUntil === 0) return notFound(never)
    const until = new Date(forgottenUntil).toISOString()
    return notFound(`${never}, or left the queue by ${until}, up to when the server has forgotten`)
  },
  'not in queue': ({ number }) => notFound(`pull request ${number} is not in the queue`),
  'no such test run': ({ testRun }) => notFound(`there is no test run ${quoteOf(testRun)}`),
  'lost test run': ({ testRun, epoch }) =>
    notFound(
      `test run ${quoteOf(testRun)} is of a lost epoch (${epoch}): the data was restored from an ` +
        'older copy. Its result is not used; the pull requests are tested again',
    ),
  'test run is over': () => notFound('the test run is over'),
  'no such test case': ({ testCase }) =>
    notFound(
      `there is no test case ${testCase} in this repository: a test case exists once a report names it`,
    ),
  'depends on itself': ({ number, through }) =>
    badRequest(
      `dependsOn: pull request ${number} would depend on itself: ${through.join(' depends on ')}. Leave one of these out`,
    ),
  'queue exists': ({ queue }) => ({
    status: 409,
    text: `A merge queue already exists for branch ${branchOf(queue)} in this repository`,
  }),
  'queue is not empty': ({ count }) =>
    badRequest(
      `the queue holds ${several(count, 'pull request')}: cancel or merge what it holds first`,
    ),
  'nothing to restart': ({ number, state }) =>
    badRequest(`pull request ${number} is ${state} and has no test run to restart`),
  'tested with others': ({ number }) =>
    badRequest(
      `pull request ${number} is tested in a batch: noBatch would test the others again; cancel it and submit it with noBatch`,
    ),
  'merge under way': ({ number }) => badRequest(`pull request ${number} is being merged`),
  'no merge under way': ({ number }) => badRequest(`pull request ${number} is not being merged`),
  'not in the test run': ({ number }) =>
    badRequest(`the test run does not hold pull request ${number} in this place`),
  'not in quarantine': ({ test }) => notFound(`test ${quoteOf(test)} is not in quarantine`),
  'quarantine is full': () =>
    badRequest(
      `the quarantine holds ${quarantineLimit} tests, which is the most: remove one that is not needed any more`,
    ),
  'line is not empty': () =>
    badRequest('a code host is attached only while nobody is in the line or in a bisection'),
  'switching modes': () =>
    badRequest(
      'a mode changes once the line is empty: write state and mode after that, when the queue is RUNNING again',
    ),
  'mode change needs RUNNING': ({ state }) =>
    badRequest(
      `with work in the line, mode changes only while the queue is RUNNING; it is ${state}`,
    ),
  contradiction: ({ text }) => badRequest(text),
  'refused by the repository': ({ refused }) => refused,
  'no repository': ({ queue }) => ({
    status: 409,
    text: `the server does not work on the repository of ${nameOfQueue(queue)}: clients report to it what happens there`,
  }),
  'works itself': ({ queue }) => ({
    status: 409,
    text: `the server works on the repository of ${nameOfQueue(queue)} and sees this itself: clients do not report it`,
  }),
  'no log': ({ run, past: { url, outcome } }) =>
    notFound(
      url === ''
        ? `there is no log of run ${run} here: ${whyNoLog(outcome)}`
        : `run ${run} was tested elsewhere, its output is at ${quoteOf(url)}`,
    ),
  'not for this token': ({ repository }) => ({
    status: 403,
    text: `this token may not use ${nameOfRepository(repository)}`,
  }),
}

/** Returns the error response for a rejection. */
export function errorResponseOf(rejection: AnyRejection): ErrorResponse {
  return errorResponseFor(rejection.code, rejection)
}

function errorResponseFor<Requested extends Code>(
  code: Requested,
  rejection: RejectionOf<Requested>,
): ErrorResponse {
  return errorResponses[code](rejection)
}

const branchOf = ({ targetBranch }: QueueRef): string => JSON.stringify(targetBranch)
