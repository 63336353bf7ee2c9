/**
 * An operation takes a body that matches its schema, and returns a response body or a rejection.
 * The OpenAPI document defines its schema and its scopes.
 */

import type { Millis, RecordedCommand } from '../../engine/index.ts'
import type { Caller } from '../auth/caller.ts'
import type { AnyRejection, OperationRejection } from './errors.ts'
import type { Hosting } from '../hosting/hosting.ts'
import type { StateCase } from '../views/state-case.ts'
import type * as wire from '../contract/wire.ts'
import { nameOfQueue, queueRefOf } from '../identity/queue-ref.ts'
import type { ManagerOutcome } from '../queues/outcome.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'

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

/** Why a test run is not known: it never existed, or the hours in which it started are lost. */
export function unknownTestRun(registry: QueueRegistry, testRun: string): OperationRejection {
  const epoch = registry.lostEpochOf(testRun)
  if (epoch === null) return { code: 'no such test run', testRun }
  return { code: 'lost test run', testRun, epoch }
}
