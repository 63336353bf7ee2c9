/**
 * Puts a server together: data folder, queue manager, clock, tokens and app.
 *
 * A stop goes in the reverse order: accept no new requests, finish those in progress, write what is
 * pending, and release the folder.
 */

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { createApp, type AppOptions } from './app.ts'
import { Failures } from './auth/failures.ts'
import { Refusals } from './auth/refusals.ts'
import { TokenFile } from './auth/token-file.ts'
import { makeToken, readTokens, writeTokens } from './auth/tokens.ts'
import { answerBadHttp } from './http/bad-http.ts'
import { Metrics } from './metrics/metrics.ts'
import { refusalMetrics } from './metrics/refusals.ts'
import type { StateCase } from './views/state-case.ts'
import { dataFolder, type DataFolder } from './store/data-folder.ts'
import { markDemo } from './store/demo-marker.ts'
import { openStore, type Store } from './store/store.ts'
import { Webhooks } from './webhooks/webhooks.ts'
import { SystemClock } from './queues/system-clock.ts'
import { QueueManager } from './queues/queue-manager.ts'

/** How long requests in progress may take after a stop was requested. */
const drainTimeoutMs = 10_000
const checkIdleEveryMs = 50

export type ServerOptions = {
  readonly port: number
  readonly host: string
  readonly data: string
  /** An admin token that only this process accepts; null: none. */
  readonly token: string | null
  readonly stateCase: StateCase
  /** Segments of the command log that are older, in days, are removed; null keeps all. */
  readonly keepDays: number | null
  /** How much faster than real time the clock of a demo runs; null: not a demo, real time. */
  readonly speed: number | null
}

export type ServerPorts = {
  readonly logger: Logger
  /** Gets a line for each request. Default: `logger`. */
  readonly accessLog?: Logger
  /** Called with a new admin token if there was none. The secret itself is not stored. */
  readonly onFirstToken: (secret: string) => void
  /** Called when the command log cannot be written; the caller must stop the server. */
  readonly onFailure: () => void
}

export type RunningServer = {
  readonly manager: QueueManager
  /** The address of the server: `http://127.0.0.1:3000`. */
  readonly url: string
  /** Settles when everything is written and the data folder is unlocked. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a server; settles when it listens. Throws errors with a message for the administrator:
 * `FolderInUse`, `DamagedData`, a port in use.
 */
export async function startServer(
  options: ServerOptions,
  ports: ServerPorts,
): Promise<RunningServer> {
  const { logger } = ports
  const folder = dataFolder(options.data)
  const clock = new SystemClock(options.speed ?? 1)
  const store = await openStore(folder, {
    logger,
    keepDays: options.keepDays,
    ports: { wakeAt: (queue, instant) => clock.wakeAt(queue, instant) },
    onFailure: (error) => {
      logger.fatal({ err: error }, 'the command log cannot be written')
      ports.onFailure()
    },
  })
  try {
    const isNew = store.registry.sequence === 0
    await markDemo(folder, { isDemo: options.speed !== null, isNew })
    return await startListening(options, { ports, folder, clock, store })
  } catch (error) {
    clock.stop()
    await store.close()
    throw error
  }
}

type ServerParts = {
  readonly ports: ServerPorts
  readonly folder: DataFolder
  readonly clock: SystemClock
  readonly store: Store
}

async function startListening(
  options: ServerOptions,
  { ports, folder, clock, store }: ServerParts,
): Promise<RunningServer> {
  const { logger, accessLog = logger } = ports
  await issueFirstToken(folder, options, ports)
  const auth = new TokenFile(folder.tokens, options.token, logger)
  const { registry, log } = store
  const webhooks = await Webhooks.open(folder, registry, { logger })
  clock.start((queue) => wake(queue), registry.at)
  const manager = new QueueManager(registry, { now: () => clock.now(), log })
  const wake = (queue: string): void => {
    try {
      if (registry.find(queue)) manager.send(queue, { type: 'wake' })
    } catch (error) {
      logger.error({ err: error, queue }, 'the queue could not be woken')
    }
  }
  let isStopping = false
  const isReady = (): boolean => !isStopping && log.failure === null
  const metrics = new Metrics(registry, () => Math.max(clock.now(), registry.at))
  manager.subscribe(metrics.onCommand)
  manager.subscribe(webhooks.onCommand)
  const { stateCase } = options
  const gateParts = { auth, failures: new Failures(), refusals: new Refusals() }
  const metricsOf: AppOptions['metricsOf'] = async (queues, isWhole) => {
    const texts = [await metrics.textOf(queues), await webhooks.metricsOf(queues)]
    if (isWhole) texts.push(await refusalMetrics(gateParts.refusals))
    return texts.join('')
  }
  const app = createApp({ manager, gateParts, logger, accessLog, stateCase, metricsOf, isReady })
  const server = createServer({ requireHostHeader: false }, app)
  answerBadHttp(server)
  const connections = connectionsOf(server)
  const url = await listen(server, options)
  logger.info({ url, data: folder.path }, 'listening')
  const stop = async (): Promise<void> => {
    isStopping = true
    clock.stop()
    await closed(server, connections)
    auth.close()
    await webhooks.close()
    await store.close()
    logger.info('stopped')
  }
  return { manager, url, stop }
}

/** Without any token no client could call the API. */
async function issueFirstToken(
  { tokens }: DataFolder,
  { token: extra }: ServerOptions,
  { onFirstToken }: ServerPorts,
): Promise<void> {
  if (extra !== null || readTokens(tokens).length > 0) return
  const { token, secret } = makeToken('first', 'admin', new Date())
  await writeTokens(tokens, [token])
  onFirstToken(secret)
}

function listen(server: Server, { port, host }: ServerOptions): Promise<string> {
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
function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => void connections.delete(connection))
  })
  return connections
}

/** Settles when the last response is sent, or the time for it is over. */
function closed(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
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
