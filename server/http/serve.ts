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
  const { budget } = served
  const body = await readBody(request, budget)
  if (body.is === 'gone') return null
  const contentType = request.headers['content-type']
  if (body.is === 'refused') return { refusal: firstOf(body.refusal, contentType) }
  const { length } = body.bytes
  try {
    return operate(served, await served.operation(), { contentType, bytes: body.bytes })
  } finally {
    budget.giveBack(length)
  }
}

/** What cannot be inflated is a fault of syntax, and the content type comes before that. */
function firstOf(refusal: Refusal, contentType: string | undefined): Refusal {
  return (refusal.status === 400 ? refusedContentType(contentType) : null) ?? refusal
}

type Sent = { readonly contentType: string | undefined; readonly bytes: Buffer }

function operate(
  { context }: Served,
  operation: CheckedOperation,
  { contentType, bytes }: Sent,
): Result {
  const refusal = refusedContentType(contentType)
  if (refusal) return { refusal }
  const parsed = parseJson(bytes)
  if (!parsed.isJson) return { refusal: { status: 400, text: parsed.fault } }
  const outcome = operation(context, parsed.value, bytes.length)
  if ('faults' in outcome) return { refusal: { status: 400, text: outcome.faults } }
  return 'body' in outcome ? outcome : { refusal: refusalOf(outcome.rejection) }
}
