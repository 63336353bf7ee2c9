/** Answers what Node would refuse without a word, in the form of every other refusal. */

import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { sendRefusal } from './answer.ts'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** To be told before it listens, with its `requireHostHeader` off: `lacksHost` is for the app. */
export function answerBadHttp(server: Server): void {
  server.on('clientError', answerNoHttp)
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    answer(socket, 405, 'CONNECT is not allowed here')
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close')
    sendRefusal(response, { status: 417, text: 'nothing but 100-continue can be expected' })
  })
}

/** HTTP/1.1 wants to know the host, which a request to a proxy may have lost. */
export function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

function answerNoHttp(error: Error & { readonly code?: string }, socket: Duplex): void {
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
