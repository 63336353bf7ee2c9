/** Paths, methods, and what is answered where nobody is at home. */

import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Express, NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { sendRefusal, type Refusal } from './answer.ts'
import { lacksHost } from './bad-http.ts'

export type Handler = (request: Request, response: Response) => void | Promise<void>

/** Serves one method of a path, and says of the others that they are not. */
export function route(app: Express, method: 'get' | 'post', path: string, handle: Handler): void {
  const allowed = method === 'post' ? 'POST' : 'GET, HEAD'
  const routed = app.route(path)
  if (method === 'post') routed.post(handle)
  else routed.get(handle)
  routed.all((_request: Request, response: Response) => {
    response.setHeader('Allow', allowed)
    sendRefusal(response, { status: 405, text: `only ${allowed} is allowed here` })
  })
}

const nothingHere: Refusal = { status: 404, text: 'there is nothing at this path' }
const noHost: Refusal = { status: 400, text: 'the header Host is missing' }

/**
 * The app as a listener, once all routes are made: what is at no path of theirs is not there, and
 * a fault is answered with an id under which it is in the log.
 */
export function finished(app: Express, logger: Logger): RequestListener {
  app.use((_request: Request, response: Response) => sendRefusal(response, nothingHere))
  // Four parameters tell Express that this one takes faults.
  app.use((fault: unknown, request: Request, response: Response, _next: NextFunction) => {
    const requestId = randomUUID()
    logger.error({ err: fault, requestId, method: request.method, path: request.path }, 'fault')
    if (response.headersSent) response.destroy()
    else sendRefusal(response, { status: 500, text: `internal error, request id ${requestId}` })
  })
  return (request, response) => {
    if (lacksHost(request)) sendRefusal(response.setHeader('Connection', 'close'), noHost)
    else if (isAddress(request.url ?? '')) app(request, response)
    else sendRefusal(response, nothingHere)
  }
}

/** Express answers what is no address in a way of its own, as a page. */
function isAddress(url: string): boolean {
  return url.startsWith('/') || URL.canParse(url, 'http://localhost')
}
