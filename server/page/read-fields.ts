/** Reads the small JSON bodies of the page. */

import type { IncomingMessage } from 'node:http'
import type { ErrorResponse } from '../http/answer.ts'
import { contentTypeError } from '../http/content-type.ts'
import { BodyBudget } from '../http/limits.ts'
import { parseJson } from '../http/parse-json.ts'
import { readBody } from '../http/read-body.ts'
import { isFields } from './act.ts'

type Read = { readonly fields: Readonly<Record<string, unknown>> }

const budget = new BodyBudget()
const gone: ErrorResponse = { status: 400, text: 'the request was not sent completely' }

/** A form of another site cannot send this content type without being asked first. */
export async function readFields(request: IncomingMessage): Promise<Read | ErrorResponse> {
  const wrongType = contentTypeError(request.headers['content-type'])
  const body = await readBody(request, budget)
  if (body.is === 'gone') return gone
  if (body.is === 'failed') return body.error
  try {
    if (wrongType) return wrongType
    const parsed = await parseJson(body.bytes)
    if (!parsed.isJson) return { status: 400, text: parsed.fault }
    const { value } = parsed
    return isFields(value) ? { fields: value } : { status: 400, text: 'the body must be an object' }
  } finally {
    budget.giveBack(body.bytes.length)
  }
}
