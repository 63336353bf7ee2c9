/** The HTTP server under the app: its timeouts, its address, its connections and its end. */

import type { Server, ServerOptions as HttpServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestTimeouts } from './limits.ts'

/** How long requests in progress may take after a stop was requested. */
const drainTimeoutMs = 10_000
const checkIdleEveryMs = 50

type ListenOptions = { readonly port: number; readonly host: string }

export function httpOptions({ headersMs, requestMs, checkMs }: RequestTimeouts): HttpServerOptions {
  return {
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  }
}

/** Settles with the address of the server: `http://127.0.0.1:3000`. */
export function listen(server: Server, { port, host }: ListenOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`)
    })
  })
}

/** The open connections, with or without a request; the set is kept up to date. */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => void connections.delete(connection))
  })
  return connections
}

/** Settles when the last response is sent, or the time for it is over. */
export function closed(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), drainTimeoutMs)
    // Clients keep connections open for their next request, which the server will not accept.
    const idle = setInterval(() => {
      server.closeIdleConnections()
      // Browsers open connections in advance. Node does not count them as idle.
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    }, checkIdleEveryMs)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(idle)
      resolve()
    })
  })
}
