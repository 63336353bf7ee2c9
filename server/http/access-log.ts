/** The access log: one line for each request, when its response has ended. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { recordOf } from './request-record.ts'

/** Puts the id of the request into the response, and logs the request when it is over. */
export function follow(request: IncomingMessage, response: ServerResponse, logger: Logger): void {
  const begun = performance.now()
  const record = recordOf(request)
  response.setHeader('X-Request-Id', record.id)
  response.once('close', () => {
    const { id, route, token } = record
    const ms = Math.round((performance.now() - begun) * 10) / 10
    // Without a response the client closed the connection.
    const status = response.headersSent ? response.statusCode : null
    const { method } = request
    logger.info({ request: id, method, route, status, ms, token }, 'request')
  })
}
