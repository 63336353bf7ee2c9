/** The HTTP server under the app: its timeouts, its address, its connections and its end. */

import {
  createServer,
  type RequestListener,
  type Server,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { mostSilentConnections, networkOf, type RequestTimeouts } from './limits.ts'
import { sendError } from './answer.ts'
import { codeOf } from '../terminal/text.ts'

/** How long requests in progress may take after a stop was requested. */
const drainTimeoutMs = 10_000
const checkIdleEveryMs = 50

/**
 * How long a connection stays open for its next request. Longer than the 60 s of most proxies and load balancers: if
 * the server closes first, a request that is on its way gets no response.
 */
const keepAliveMs = 65_000

/** An attack does not fill the log. */
const sayEveryMs = 60_000

type ListenOptions = {
  readonly port: number
  readonly host: string
  readonly timeouts: RequestTimeouts
}

export type Listening = {
  /** The address of the server: `http://127.0.0.1:3000`. */
  readonly url: string
  /** Settles when the last response is sent, or the time for it is over. */
  readonly close: () => Promise<void>
}

/** Settles when the server listens. Rejects if it cannot, for example because the port is in use. */
export async function listen(
  options: ListenOptions,
  app: RequestListener,
  logger: Logger,
): Promise<Listening> {
  const { headersMs, requestMs, silentMs, checkMs } = options.timeouts
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkMs,
    },
    app,
  )
  answerBadHttp(server)
  const silent = limitSilent(server, silentMs, logger)
  const url = await bound(server, options)
  return { url, close: () => closed(server, silent) }
}

type Place = Pick<ListenOptions, 'port' | 'host'>

function bound(server: Server, { port, host }: Place): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => reject(refusalToListen(error, { port, host }))
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      const address = server.address()
      const listens = typeof address === 'object' && address !== null ? address.port : port
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${listens}`)
    })
  })
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program listens there: stop it, or name another --port; 0 means any free one',
  EACCES: 'this user may not: name a --port from 1024 on',
  EADDRNOTAVAIL: 'this machine does not have the address: name another --host',
  ENOTFOUND: 'the name is not known: name another --host',
}

/** Why the server cannot listen, and what to do. */
function refusalToListen(error: Error, { port, host }: Place): Error {
  const remedy = remedies[codeOf(error)]
  if (remedy === undefined) return error
  return new Error(`cannot listen on port ${port} of ${host}: ${remedy}`, { cause: error })
}

/**
 * A-221: of the connections of an address that have sent no request for `silentMs`, or since their answer not the rest
 * of it, only the newest stay open. Returns those of all addresses, with the instants at which they came or got their
 * answer; the map is kept up to date.
 */
function limitSilent(
  server: Server,
  silentMs: number,
  logger: Logger,
): ReadonlyMap<Socket, number> {
  const silent = new Map<Socket, number>()
  const awaited = new Set<string>()
  let saidAtMs = Number.NEGATIVE_INFINITY
  const closeLater = (network: string): void => {
    if (awaited.has(network)) return
    awaited.add(network)
    setTimeout(closeOldest, silentMs, network).unref()
  }
  const closeOldest = (network: string): void => {
    awaited.delete(network)
    const surplus = [...silent]
      .filter(([{ remoteAddress }]) => networkOf(remoteAddress ?? '') === network)
      .slice(0, -mostSilentConnections)
    const overdue = surplus.filter(([, since]) => performance.now() - since >= silentMs)
    if (overdue.length < surplus.length) closeLater(network)
    for (const [connection] of overdue) connection.destroy()
    if (overdue.length === 0 || performance.now() - saidAtMs < sayEveryMs) return
    saidAtMs = performance.now()
    const which = { address: network, connections: overdue.length }
    logger.warn(which, 'closed connections that sent no whole request: their address has too many')
  }
  const note = (connection: Socket): void => {
    silent.set(connection, performance.now())
    if (silent.size > mostSilentConnections) closeLater(networkOf(connection.remoteAddress ?? ''))
  }
  server.on('connection', (connection: Socket) => {
    connection.once('close', () => void silent.delete(connection))
    note(connection)
  })
  server.on('request', (request, response) => {
    const { socket } = request
    silent.delete(socket)
    // One that is refused for its headers may never send its body: no token is needed to open very many.
    response.once('finish', () => {
      if (request.complete || socket.destroyed) return
      note(socket)
      request.once('close', () => void silent.delete(socket))
    })
  })
  return silent
}

function closed(server: Server, silent: ReadonlyMap<Socket, number>): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), drainTimeoutMs)
    // Clients keep connections open for their next request, which the server will not accept.
    const idle = setInterval(() => {
      server.closeIdleConnections()
      // Browsers open connections in advance. Node does not count them as idle.
      for (const connection of silent.keys()) if (connection.bytesRead === 0) connection.destroy()
    }, checkIdleEveryMs)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(idle)
      resolve()
    })
  })
}

// Error responses to requests that Node would otherwise drop or answer without a text (A-11).

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Installs the handlers. Call it before the server listens. The server must be created with
 * `requireHostHeader: false`, because the app checks the header with `lacksHost`.
 */
function answerBadHttp(server: Server): void {
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
