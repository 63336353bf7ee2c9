/**
 * A whole server: the data folder, the yard, the clock, the tokens and the app, listening.
 *
 * Stopping takes it apart the other way round: no new requests, those under way to their end, what
 * is left to write, and the folder given back.
 */

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { TokenFile } from './auth/token-file.ts'
import { makeToken, readTokens, writeTokens } from './auth/tokens.ts'
import { answerBadHttp } from './http/bad-http.ts'
import { Metrics } from './metrics/metrics.ts'
import type { ServerOptions } from './options.ts'
import { dataFolder, type DataFolder } from './store/data-folder.ts'
import { markDemo } from './store/demo-mark.ts'
import { openStore, type Store } from './store/store.ts'
import { Webhooks } from './webhooks/webhooks.ts'
import { SystemClock } from './yard/system-clock.ts'
import { Yard } from './yard/yard.ts'

/** How long requests under way may take once the server is to stop. */
const patienceMs = 10_000
const lookForIdleEveryMs = 50

export type ServerPorts = {
  readonly logger: Logger
  /** Told once, when there was no token at all: an admin token. It is stored nowhere. */
  readonly onFirstToken: (secret: string) => void
  /** Nothing can be written any more; stop it. */
  readonly onFailure: () => void
}

export type RunningServer = {
  readonly yard: Yard
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Throws what people should read: `FolderInUse`, `DamagedData`, a port that is taken. */
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
      logger.fatal({ err: error }, 'what is acknowledged cannot be kept any more')
      ports.onFailure()
    },
  })
  try {
    const isNew = store.register.sequence === 0
    await markDemo(folder, { isDemo: options.speed !== null, isNew })
    return await listening(options, { ports, folder, clock, store })
  } catch (error) {
    clock.stop()
    await store.close()
    throw error
  }
}

type Parts = {
  readonly ports: ServerPorts
  readonly folder: DataFolder
  readonly clock: SystemClock
  readonly store: Store
}

async function listening(
  options: ServerOptions,
  { ports, folder, clock, store }: Parts,
): Promise<RunningServer> {
  const { logger } = ports
  await issueFirstToken(folder, options, ports)
  const auth = new TokenFile(folder.tokens, options.token, logger)
  const { register, log } = store
  const webhooks = await Webhooks.open(folder, register, { logger })
  clock.start((queue) => wake(queue), register.at)
  const yard = new Yard(register, { now: () => clock.now(), log })
  const wake = (queue: string): void => {
    try {
      if (register.find(queue)) yard.send(queue, { type: 'wake' })
    } catch (error) {
      logger.error({ err: error, queue }, 'the queue could not be woken')
    }
  }
  let isStopping = false
  const isReady = (): boolean => !isStopping && log.failure === null
  const metrics = new Metrics(register, () => Math.max(clock.now(), register.at))
  yard.subscribe(metrics.hear)
  yard.subscribe(webhooks.hear)
  const { stateCase } = options
  const metricsOf = metrics.textOf
  const app = createApp({ yard, auth, logger, stateCase, metricsOf, isReady })
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
  return { yard, url, stop }
}

/** Without any token nobody could ever call. */
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

/** The connections that are open, whatever came over them. */
function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => void connections.delete(connection))
  })
  return connections
}

/** Settles when the last request is answered, or their time is up. */
function closed(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), patienceMs)
    // Clients keep connections open for their next request; there will be none.
    const idle = setInterval(() => {
      server.closeIdleConnections()
      // Browsers open some ahead of need: to Node such a one is not idle, but about to ask.
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    }, lookForIdleEveryMs)
    server.close(() => {
      clearTimeout(impatience)
      clearInterval(idle)
      resolve()
    })
  })
}
