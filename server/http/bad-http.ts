/** Answers what is not even HTTP, in the form of every other refusal. */

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** For the `clientError` event of a server. */
export function answerBadHttp(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = statuses[error.code ?? ''] ?? 400
  const text = status === 400 ? 'the request is not HTTP' : (STATUS_CODES[status] ?? '')
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/plain-text; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${text.length}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
