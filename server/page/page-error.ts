/** Errors of the page's endpoints. They are JSON, because the page shows their text. */

import type { ServerResponse } from 'node:http'
import type { ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'

export function sendPageError(
  response: ServerResponse,
  { status, text, retryAfter }: ErrorResponse,
): void {
  const more = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  const body = Buffer.from(JSON.stringify({ error: text }))
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    ...more,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': recordOf(response.req).id,
  })
  response.end(body)
}
