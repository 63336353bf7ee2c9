/**
 * Handles one request. The checks come in this order: token, scope, size, content type, syntax,
 * schema, and then those of the operation. The router has checked path and method before. For a known
 * path the token comes first all the same: without one the router answers no 405.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import type { Gate, Refusals } from '../auth/gate.ts'
import type { Kind } from '../queues/entrance.ts'
import type { CheckedOperation } from './index.ts'
import { perform, type Performed, type ServerContext } from './perform.ts'
import { sendError, sendJson, sendPieces, type ErrorResponse } from '../http/answer.ts'
import { contentTypeError } from '../http/content-type.ts'
import type { BodyBudget } from '../http/limits.ts'
import { parseJson } from '../http/parse-json.ts'
import { readBody } from '../http/read-body.ts'

export type RouteOptions = {
  readonly context: ServerContext
  /** Whether the operation only reads. */
  readonly kind: Kind
  readonly gate: Gate
  readonly refusals: Refusals
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

/** Reads and parses a body. Keeps no reference to its bytes and text, which can be large. */
async function readJson(request: IncomingMessage, budget: BodyBudget): Promise<BodyRead | null> {
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
