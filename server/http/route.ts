/** Routes by path and method. Unknown path: 404. Wrong method: 405. */

import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Express, NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { sendError, type ErrorResponse } from './answer.ts'
import { lacksHost } from './bad-http.ts'

export type Handler = (request: Request, response: Response) => void | Promise<void>

/** Routes one method of a path to `handle`. Other methods get 405. */
export function route(app: Express, method: 'get' | 'post', path: string, handle: Handler): void {
  const allowed = method === 'post' ? 'POST' : 'GET, HEAD'
  const routed = app.route(path)
  if (method === 'post') routed.post(handle)
  else routed.get(handle)
  routed.all((_request: Request, response: Response) => {
    response.setHeader('Allow', allowed)
    sendError(response, { status: 405, text: `only ${allowed} is allowed for this path` })
  })
}

const noSuchPath: ErrorResponse = { status: 404, text: 'there is no such path' }
const noHost: ErrorResponse = { status: 400, text: 'the header Host is missing' }

/**
 * Completes the app after all routes were added, and returns it as a listener. Unknown paths get
 * 404. An exception gets 500 with a request id that is also in the log.
 */
export function finished(app: Express, logger: Logger): RequestListener {
  app.use((_request: Request, response: Response) => sendError(response, noSuchPath))
  // Express recognizes an error handler by its four parameters.
  app.use((fault: unknown, request: Request, response: Response, _next: NextFunction) => {
    const requestId = randomUUID()
    logger.error({ err: fault, requestId, method: request.method, path: request.path }, 'fault')
    if (response.headersSent) response.destroy()
    else sendError(response, { status: 500, text: `internal error, request id ${requestId}` })
  })
  return (request, response) => {
    if (lacksHost(request)) sendError(response.setHeader('Connection', 'close'), noHost)
    else if (isAddress(request.url ?? '')) app(request, response)
    else sendError(response, noSuchPath)
  }
}

/** Express would answer a malformed address with an HTML page. */
function isAddress(url: string): boolean {
  return url.startsWith('/') || URL.canParse(url, 'http://localhost')
}
