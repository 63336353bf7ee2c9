/**
 * Routes by path and method. Unknown path: 404. Wrong method: 405. Where a token is needed, both are
 * answered only to callers with a valid one.
 *
 * A POST whose address is exactly a path goes to its handler directly, all others go through Express: its
 * router takes a tenth of the time of such a request.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Express, NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { sendError, type ErrorResponse } from './answer.ts'
import { follow, recordOf, type RequestLogs } from './request-record.ts'
import { lacksHost } from './listening.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** The handlers of POST, by path. */
export type Posts = Map<string, Handler>

/** Returns the error response for a caller without a valid token, else null. */
type TokenCheck = (request: IncomingMessage) => ErrorResponse | null

export type Route = {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly handle: Handler
  /** Comes before 405; `handle` checks the token itself. Absent for public paths. */
  readonly checkToken?: TokenCheck
}

/** Routes one method of a path to `handle`. Other methods get 405. */
export function route(
  app: Express,
  { method, path, handle, checkToken }: Route,
  posts?: Posts,
): void {
  const allowed = method === 'post' ? 'POST' : reading
  const routed = app.route(path)
  const handleNamed: Handler = (request, response) => {
    recordOf(request).route = path
    return handle(request, response)
  }
  if (method === 'post') routed.post(handleNamed)
  else routed.get(handleNamed)
  if (method === 'post') posts?.set(path, handleNamed)
  routed.all(refusing(path, allowed, checkToken))
}

/** Routes GET of a path to what only Express sends: a file or a redirect. Other methods get 405. */
export function routePage(app: Express, path: string, send: (response: Response) => void): void {
  const get = (request: Request, response: Response): void => {
    recordOf(request).route = path
    send(response)
  }
  app.route(path).get(get).all(refusing(path, reading))
}

const reading = 'GET, HEAD'

function refusing(path: string, allowed: string, checkToken?: TokenCheck) {
  return (request: Request, response: Response): void => {
    recordOf(request).route = path
    const denied = checkToken?.(request)
    if (denied) {
      sendError(response, denied)
      return
    }
    response.setHeader('Allow', allowed)
    sendError(response, { status: 405, text: `only ${allowed} is allowed for this path` })
  }
}

/** Answers the paths below `base` that have no route. Call it after all routes were added. */
export function guardUnknownPaths(app: Express, base: string, checkToken: TokenCheck): void {
  app.use(base, (request: Request, response: Response) => {
    sendError(response, checkToken(request) ?? noSuchPath)
  })
}

export type AppLogs = RequestLogs & { readonly logger: Logger; readonly posts: Posts }

const noSuchPath: ErrorResponse = {
  status: 404,
  text: 'there is no such path: /docs lists those of the API',
}
const noHost: ErrorResponse = { status: 400, text: 'the header Host is missing' }

/**
 * Completes the app after all routes were added, and returns it as a listener. Unknown paths get
 * 404. An exception gets 500 with a request id that is also in the log.
 */
export function finished(app: Express, { logger, posts, ...logs }: AppLogs): RequestListener {
  const failed = (fault: unknown, request: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalIn(fault)
    if (refusal && !response.headersSent) {
      sendError(response, refusal)
      return
    }
    const requestId = recordOf(request).id
    const { method } = request
    const [path] = request.url?.split('?') ?? []
    logger.error({ err: fault, requestId, method, path }, 'fault')
    if (response.headersSent) response.destroy()
    else sendError(response, { status: 500, text: `internal error, request id ${requestId}` })
  }
  app.use((_request: Request, response: Response) => sendError(response, noSuchPath))
  // Express recognizes an error handler by its four parameters.
  app.use((fault: unknown, request: Request, response: Response, _next: NextFunction) =>
    failed(fault, request, response),
  )
  return (request, response) => {
    follow(request, response, logs)
    if (lacksHost(request)) {
      sendError(response.setHeader('Connection', 'close'), noHost)
      return
    }
    const { method, url = '' } = request
    const post = method === 'POST' ? posts.get(url) : undefined
    if (post) {
      // Express catches both kinds of errors too.
      const fail = (fault: unknown): void => failed(fault, request, response)
      try {
        post(request, response)?.catch(fail)
      } catch (fault) {
        fail(fault)
      }
    } else if (isAddress(url)) {
      // Express sends files and redirects without them. Rules.
      response.setHeader('X-Content-Type-Options', 'nosniff')
      response.setHeader('X-Request-Id', recordOf(request).id)
      app(request, response)
    } else sendError(response, noSuchPath)
  }
}

/** What Express refuses is no fault of the server, for example an address that cannot be decoded. */
function refusalIn(fault: unknown): ErrorResponse | null {
  if (!(fault instanceof Error) || !('status' in fault)) return null
  const { status, message: text } = fault
  return typeof status === 'number' && status >= 400 && status < 500 ? { status, text } : null
}

/** Express would answer a malformed address with an HTML page. */
function isAddress(url: string): boolean {
  return url.startsWith('/') || URL.canParse(url, 'http://localhost')
}
