/**
 * Performs an operation on the queues. What it must find out beside them, such as a head in a repository, comes
 * between two entries: a shared log waits for nobody who looks at a repository.
 */

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import type { ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import { StoreUnavailable, type Enter, type Kind } from '../queues/entrance.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import { errorResponseOf, type AnyRejection } from './errors.ts'
import type { CheckedOperation, OperationOutcome } from './index.ts'
import type { Context, Pieces } from './operation.ts'

/** What is the same for all requests to a server. */
export type ServerContext = Pick<Context, 'stateCase' | 'hosting'> & { readonly enter: Enter }

export type Asked = {
  /** The body, and how many bytes it has. */
  readonly value: unknown
  readonly length: number
  /** Whether the operation only reads. */
  readonly kind: Kind
  readonly request: IncomingMessage
  readonly caller: Caller
}

export type Performed =
  | { readonly body: object }
  | Pieces
  | { readonly error: ErrorResponse; readonly code?: AnyRejection['code'] }

export async function perform(
  { enter, stateCase, hosting }: ServerContext,
  operation: CheckedOperation,
  { value, length, kind, request, caller }: Asked,
): Promise<Performed> {
  const checked = operation(value, length)
  if ('faults' in checked) return { error: { status: 400, text: checked.faults } }
  // Every command of the request carries its id and the name of its token.
  const actor = { token: caller.name, request: recordOf(request).id }
  const contextOf = (manager: QueueManager): Context => ({
    manager: {
      registry: manager.registry,
      now: manager.now,
      send: (queue, command) => manager.send(queue, command, actor),
    },
    caller,
    stateCase,
    hosting,
  })
  let next = checked.work
  try {
    for (;;) {
      const step = next
      const outcome: OperationOutcome = await enter(kind, (manager) => step(contextOf(manager)))
      if ('aside' in outcome) {
        next = await outcome.aside()
        continue
      }
      if (!('rejection' in outcome)) return outcome
      return { error: errorResponseOf(outcome.rejection), code: outcome.rejection.code }
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { error: unavailable }
    throw error
  }
}

/** Who asks again may ask another server. The cause is in the log. */
export const unavailable: ErrorResponse = {
  status: 503,
  text: 'the store cannot be reached, so it is not known whether this was done: ask again',
  retryAfter: 1,
}
