/** The access log: one line for each request, when its response has ended. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { recordOf } from './request-record.ts'

export type RequestLogs = {
  readonly accessLog: Logger
  /** Called for each request that is over, with its route, status and time in milliseconds. */
  readonly onRequest: (route: string | null, status: number, ms: number) => void
}

/** Logs and counts the request when it is over. */
export function follow(
  request: IncomingMessage,
  response: ServerResponse,
  { accessLog, onRequest }: RequestLogs,
): void {
  const begun = performance.now()
  // One listener for all, because each costs time in every request.
  response.on('close', () => {
    const { id, route, token } = recordOf(request)
    const exactMs = performance.now() - begun
    const ms = Math.round(exactMs * 10) / 10
    // Without a response the client closed the connection.
    const status = response.headersSent ? response.statusCode : null
    const { method } = request
    accessLog.info({ request: id, method, route, status, ms, token }, 'request')
    onRequest(route, response.statusCode, exactMs)
  })
}
