/**
 * What the server notes about a request while it is handled: its id, which the response, the log and
 * the recorded command carry, and who sent it. Never the secret of a token, and no body. The access log has
 * it when the request is over.
 */

import type { ServerResponse, IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'

export type RequestRecord = {
  readonly id: string
  /** The path of the route, not that of the request; null if no route fits. */
  route: string | null
  /** The name of the token; null if none was accepted. */
  token: string | null
}

const records = new WeakMap<IncomingMessage, RequestRecord>()

/** Ids are always drawn here: one from a client could repeat, or say anything. */
export function recordOf(request: IncomingMessage): RequestRecord {
  const known = records.get(request)
  if (known) return known
  const record: RequestRecord = { id: randomUUID(), route: null, token: null }
  records.set(request, record)
  return record
}

/** The access log: one line for each request, when its response has ended. */
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
