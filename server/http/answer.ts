/** Sends responses: JSON for success, one line of text for errors. */

import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { isErrno } from '../files/replace-file.ts'
import { nextTurn } from '../files/turns.ts'
import { recordOf } from './request-record.ts'

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

/** Sends JSON in pieces, one in each turn of the event loop and no faster than the client reads, until it is gone. */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<string>,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': recordOf(response.req).id,
  })
  try {
    await pipeline(inTurns(pieces), response)
  } catch (error) {
    if (!isErrno(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  }
}

async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece
    await nextTurn()
  }
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

/** The longest text of a value in an error message. */
const longest = 80

/** Quotes a value of a request in an error message: a long one is cut, of an object only the type is told. */
export function quoteOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON cannot represent Infinity, which a number beyond the range of doubles is parsed to.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
