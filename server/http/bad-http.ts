/** Error responses to requests that Node would otherwise drop or answer without a text. */

import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { sendError } from './answer.ts'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Installs the handlers. Call it before the server listens. The server must be created with
 * `requireHostHeader: false`, because the app checks the header with `lacksHost`.
 */
export function answerBadHttp(server: Server): void {
  server.on('clientError', answerInvalidHttp)
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    answer(socket, 405, 'CONNECT is not allowed here')
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close')
    sendError(response, { status: 417, text: 'the only supported Expect header is 100-continue' })
  })
}

/** True if the `Host` header is missing, which HTTP/1.1 requires. */
export function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function answerInvalidHttp(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = statuses[error.code ?? ''] ?? 400
  answer(socket, status, status === 400 ? 'the request is not HTTP' : (STATUS_CODES[status] ?? ''))
}

function answer(socket: Duplex, status: number, text: string): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/plain-text; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${text.length}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
