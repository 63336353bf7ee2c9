/**
 * One request from its headers to its answer, in the order in which it is checked: token, scope,
 * size, content type, syntax, schema, and then the operation itself. (Path and method come first,
 * in the router.)
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Gate } from '../auth/gate.ts'
import { refusalOf } from '../errors.ts'
import type { CheckedOperation } from '../operations/index.ts'
import type { Context } from '../operations/operation.ts'
import { sendJson, sendRefusal, type Refusal } from './answer.ts'
import { refusedContentType } from './content-type.ts'
import type { BodyBudget } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { readBody } from './read-body.ts'

export type Served = {
  readonly context: Context
  readonly gate: Gate
  readonly budget: BodyBudget
  /** Loaded with the first body that comes for one: to listen, nobody needs them. */
  readonly operation: () => Promise<CheckedOperation>
}

type Result = { readonly body: object } | { readonly refusal: Refusal }

export async function serve(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const closed = served.gate(request.headers)
  if (closed) {
    sendRefusal(response, closed)
    return
  }
  const result = await resultOf(served, request)
  if (!result) return
  // Neither an answer nor a refusal shows what is not on disk yet.
  const durable = served.context.yard.durable()
  if (durable) await durable
  if ('body' in result) sendJson(response, result.body)
  else sendRefusal(response, result.refusal)
}

/** Null for a request whose sender has hung up. */
async function resultOf(served: Served, request: IncomingMessage): Promise<Result | null> {
  const read = await readJson(request, served.budget)
  if (!read || 'refusal' in read) return read
  const { value, length } = read
  try {
    const operation = await served.operation()
    const outcome = operation(served.context, value, length)
    if ('faults' in outcome) return { refusal: { status: 400, text: outcome.faults } }
    return 'body' in outcome ? outcome : { refusal: refusalOf(outcome.rejection) }
  } finally {
    served.budget.giveBack(length)
  }
}

type Read =
  /** Its length counts against the budget until it is given back. */
  { readonly value: unknown; readonly length: number } | { readonly refusal: Refusal }

/** What a body says. Its bytes and its text may be many, and nobody holds them from here on. */
async function readJson(request: IncomingMessage, budget: BodyBudget): Promise<Read | null> {
  const body = await readBody(request, budget)
  if (body.is === 'gone') return null
  const refused = refusedContentType(request.headers['content-type'])
  if (body.is === 'refused') {
    // What cannot be inflated is a fault of syntax, and the content type comes before that.
    return { refusal: (body.refusal.status === 400 ? refused : null) ?? body.refusal }
  }
  const { length } = body.bytes
  const parsed = refused ? null : parseJson(body.bytes)
  if (parsed?.isJson) return { value: parsed.value, length }
  budget.giveBack(length)
  return { refusal: refused ?? { status: 400, text: parsed?.fault ?? '' } }
}
