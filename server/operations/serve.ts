/**
 * Handles one request. The checks come in this order: token, scope, size, content type, syntax,
 * schema, and then those of the operation. The router has checked path and method before. For a known
 * path the token comes first all the same: without one the router answers no 405.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../auth/tokens.ts'
import type { Gate, GateParts } from '../auth/gate.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import { type Kind, StoreUnavailable, type Enter } from '../queues/entrance.ts'
import type { CheckedOperation, OperationOutcome } from './index.ts'
import { sendError, sendJson, sendPieces, type ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import { contentTypeError, readBody } from '../http/read-body.ts'
import type { BodyBudget } from '../http/limits.ts'
import { parseJson } from '../http/parse-json.ts'
import { errorResponseOf, type AnyRejection, type Context, type Pieces } from './operation.ts'

export type RouteOptions = {
  readonly context: ServerContext
  /** Whether the operation only reads. */
  readonly kind: Kind
  readonly gate: Gate
  readonly refusals: GateParts['refusals']
  readonly budget: BodyBudget
  /** Loads the operation with its first request, so that the start does not wait for it. */
  readonly operation: () => Promise<CheckedOperation>
}

export async function serve(
  options: RouteOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { caller, denied } = options.gate(request)
  if (denied) {
    sendError(response, denied)
    return
  }
  const result = await resultOf(options, request, caller)
  if (!result) return
  if ('body' in result) sendJson(response, result.body)
  else if ('pieces' in result) await sendPieces(response, result.pieces)
  else sendError(response, result.error)
}

/** Null if the client has closed the connection. */
async function resultOf(
  { context, kind, refusals, budget, operation }: RouteOptions,
  request: IncomingMessage,
  caller: Caller,
): Promise<Performed | null> {
  const read = await readJson(request, budget)
  if (!read || 'error' in read) return read
  try {
    const performed = await perform(context, await operation(), { ...read, kind, request, caller })
    const isHidden = 'error' in performed && performed.code === 'not for this token'
    if (isHidden) refusals.add('repository')
    return performed
  } finally {
    budget.giveBack(read.length)
  }
}

type BodyRead =
  /** The caller must give `length` back to the budget. */
  { readonly value: unknown; readonly length: number } | { readonly error: ErrorResponse }

/** Reads and parses a body; null: the client is gone. Keeps no reference to its bytes and text, which can be large. */
export async function readJson(
  request: IncomingMessage,
  budget: BodyBudget,
): Promise<BodyRead | null> {
  const body = await readBody(request, budget)
  if (body.is === 'gone') return null
  const wrongType = contentTypeError(request.headers['content-type'])
  if (body.is === 'failed') {
    // A body that cannot be inflated is a syntax error. The content type is checked before syntax.
    return { error: (body.error.status === 400 ? wrongType : null) ?? body.error }
  }
  const { length } = body.bytes
  const parsing = wrongType ? null : parseJson(body.bytes)
  const parsed = parsing instanceof Promise ? await parsing : parsing
  if (parsed?.isJson) return { value: parsed.value, length }
  budget.giveBack(length)
  return { error: wrongType ?? { status: 400, text: parsed?.fault ?? '' } }
}

// Performs an operation on the queues. What it must find out beside them, such as a head in a repository, comes
// between two entries: a shared log waits for nobody who looks at a repository.

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
