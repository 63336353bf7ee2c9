/** Sends responses: JSON for success, one line of text for errors. */

import type { ServerResponse, IncomingMessage } from 'node:http'
import { nextTurn } from '../files/turns.ts'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import express from 'express'
import type { Express, NextFunction, Request, Response } from 'express'

/** The HTTP status and text of a response that reports an error. */
export type ErrorResponse = {
  readonly status: number
  readonly text: string
  /** The seconds after which the client may try again. */
  readonly retryAfter?: number
}

export function sendJson(response: ServerResponse, body: object): void {
  send(response, 200, 'application/json; charset=utf-8', JSON.stringify(body))
}

/** Sends JSON in pieces, one in each turn of the event loop and no faster than the client reads. */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<string>,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': recordOf(response.req).id,
  })
  for (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await drained(response)
    await nextTurn()
  }
  response.end()
}

/** Settles when the client has read what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) {
      resolve()
      return
    }
    const settle = (): void => {
      response.off('drain', settle)
      response.off('close', settle)
      resolve()
    }
    response.on('drain', settle)
    response.on('close', settle)
  })
}

export function sendError(
  response: ServerResponse,
  { status, text, retryAfter }: ErrorResponse,
): void {
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
  send(response, status, 'application/plain-text; charset=utf-8', oneLine(text))
}

export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  content: string | Buffer,
): void {
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(content),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': recordOf(response.req).id,
  })
  response.end(content)
}

/** Replaces control characters, because the text can contain values from the request. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

// What the server notes about a request while it is handled: its id, which the response, the log and
// the recorded command carry, and who sent it. Never the secret of a token, and no body.

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

// Serves the files of a folder, which everybody may read.

type Headers = Readonly<Record<string, string>>

/** `isForEver`: a file of that name never changes. A file that is not there is left to the routes that come later. */
export function serveFolder(
  app: Express,
  path: string,
  { folder, headers, isForEver }: { folder: string; headers: Headers; isForEver: boolean },
): void {
  const note = (request: Request, response: Response, next: NextFunction): void => {
    recordOf(request).route = path
    response.set({ ...headers, 'X-Content-Type-Options': 'nosniff' })
    next()
  }
  const caching = isForEver ? { immutable: true, maxAge: '1y' } : {}
  const options = { ...caching, acceptRanges: false, index: false, redirect: false }
  app.use(path, note, express.static(folder, options))
}

// Shows a value in an error message: long values are cut, objects are shown by type only.

const longest = 80

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON cannot represent Infinity, which a number beyond the range of doubles is parsed to.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
