/** Answering: JSON when it is done, one line of text when it is not. */

import type { ServerResponse } from 'node:http'

/** Why a request is not served. */
export type Refusal = { readonly status: number; readonly text: string }

export function sendJson(response: ServerResponse, body: object): void {
  send(response, 200, 'application/json; charset=utf-8', JSON.stringify(body))
}

export function sendRefusal(response: ServerResponse, { status, text }: Refusal): void {
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
  })
  response.end(content)
}

/** Whatever a request has put into a text, it stays one line of something to read. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
