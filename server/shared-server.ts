/**
 * Puts together a server that shares its log with others in PostgreSQL: replica, waker, tokens and app. All
 * servers are equal, and any of them answers for any queue.
 */

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import { createApp, type AppOptions } from './app.ts'
import { Failures } from './auth/failures.ts'
import { Refusals } from './auth/refusals.ts'
import type { Hosting } from './hosting/hosting.ts'
import { answerBadHttp } from './http/bad-http.ts'
import { closed, connectionsOf, httpOptions, listen } from './http/listening.ts'
import { once } from './http/once.ts'
import { Metrics } from './metrics/metrics.ts'
import { refusalMetrics } from './metrics/refusals.ts'
import { ServerFigures } from './metrics/server-figures.ts'
import { pagesOf } from './page/links.ts'
import { connect } from './postgres/connect.ts'
import { PostgresLog } from './postgres/postgres-log.ts'
import { PostgresOutbox } from './postgres/postgres-outbox.ts'
import { issueFirstSharedToken, SharedTokens } from './postgres/shared-tokens.ts'
import { shownUrl } from './postgres/store-fault.ts'
import { forgetDue } from './queues/forgetful.ts'
import { Follower } from './replica/follower.ts'
import type { Register } from './replica/register.ts'
import { Replica } from './replica/replica.ts'
import { Waker } from './replica/waker.ts'
import type { ServerOptions, ServerPorts } from './server.ts'
import { openSharedPage, type SharedPage } from './shared-page.ts'
import { post } from './webhooks/post.ts'
import { Sender, type SenderPorts } from './webhooks/sender.ts'
import { systemTimers } from './webhooks/timers.ts'

export type SharedServerOptions = Pick<
  ServerOptions,
  'port' | 'host' | 'token' | 'stateCase' | 'rememberDays' | 'timeouts' | 'page'
> & {
  /** The URL of the PostgreSQL that keeps the log. */
  readonly store: string
}

export type SharedServer = { readonly url: string; readonly stop: () => Promise<void> }

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** Starts a server; settles when it listens. Throws `StoreFault` for a PostgreSQL that cannot be used. */
export async function startSharedServer(
  options: SharedServerOptions,
  ports: Pick<ServerPorts, 'logger' | 'accessLog' | 'onFirstToken'>,
): Promise<SharedServer> {
  const { logger } = ports
  const pool = await connect(options.store)
  const database = new PostgresLog(pool)
  const replica = new Replica({
    database,
    onFault: (error) => logger.error({ err: error }, 'the log cannot be followed'),
    onDue: (inMs) => waker.note(inMs),
  })
  const waker = new Waker(replica, { after: timer })
  const sender = senderOf(pool, database, {
    logger,
    isAble: () => replica.isCurrent,
    pageOf: pagesOf(options.page ?? null, {
      find: (name) => replica.register?.manager.registry.find(name),
    }),
  })
  try {
    await replica.look()
    if (options.token === null) await issueFirstSharedToken(pool, ports.onFirstToken)
    const auth = await SharedTokens.open(pool, options.token)
    let isStopping = false
    const isReady = (): boolean => !isStopping && replica.isCurrent && replica.register !== null
    const failures = new Failures()
    const { stateCase } = options
    const hosting: Hosting = { of: () => null, all: [] }
    const parts = { pool, log: database, replica, auth, failures, hosting, stateCase, logger }
    const page = options.page ? await openSharedPage(options.page, parts) : null
    const app = createApp(appOf(options, ports, { replica, auth, sender, failures, page, isReady }))
    const server = createServer(httpOptions(options.timeouts), app)
    answerBadHttp(server)
    const connections = connectionsOf(server)
    const url = await listen(server, options)
    logger.info({ url, store: shownUrl(options.store) }, 'listening')
    waker.start()
    sender.start()
    const forgetting = setInterval(() => void forget(replica, options), hourMs).unref()
    const stop = once(async (): Promise<void> => {
      isStopping = true
      clearInterval(forgetting)
      waker.stop()
      await page?.end()
      await sender.stop()
      await closed(server, connections)
      auth.close()
      await replica.save().catch(() => undefined)
      await pool.end()
      logger.info('stopped')
    })
    return { url, stop }
  } catch (error) {
    waker.stop()
    await pool.end()
    throw error
  }
}

/** Delivers the webhooks while no other server does. */
function senderOf(
  pool: Pool,
  log: PostgresLog,
  ports: Pick<SenderPorts, 'logger' | 'isAble' | 'pageOf'>,
): Sender {
  return new Sender({
    ...ports,
    name: `${hostname()} ${process.pid} ${randomUUID()}`,
    database: new PostgresOutbox(pool),
    follow: (after) => Follower.open(log, after),
    post,
    clock: () => performance.now(),
    timers: systemTimers,
  })
}

type AppParts = {
  readonly replica: Replica
  readonly auth: SharedTokens
  readonly failures: Failures
  readonly page: SharedPage | null
  readonly sender: Sender
  readonly isReady: () => boolean
}

function appOf(
  { stateCase }: SharedServerOptions,
  { logger, accessLog = logger }: Pick<ServerPorts, 'logger' | 'accessLog'>,
  { replica, auth, sender, failures, page, isReady }: AppParts,
): AppOptions {
  const gateParts = { auth, failures, refusals: new Refusals() }
  const now = (): number => replica.register?.now ?? 0
  const metrics = new Metrics(now)
  const figures = new ServerFigures({
    folder: null,
    isReady,
    knownPullRequests: () => knownIn(replica.register),
    clockAheadMs: () => 0,
    isSending: () => sender.isSending,
  })
  return {
    enter: replica.enter,
    gateParts,
    logger,
    accessLog,
    stateCase,
    isReady,
    metricsOf: async (queues, isWhole) => {
      const texts = [await metrics.textOf(queues), await sender.metricsOf(queues)]
      if (isWhole) texts.push(await refusalMetrics(gateParts.refusals))
      return texts.join('')
    },
    ...(page ? { servePages: page.servePages } : {}),
    figuresText: () => figures.text(),
    onRequest: figures.onRequest,
  }
}

function knownIn(register: Register | null): number {
  const queues = register ? [...register.manager.registry.queues] : []
  return queues.reduce((sum, { history }) => sum + history.pullRequests.size, 0)
}

/** Each server tries once an hour. Who comes second finds nothing to forget. */
async function forget(replica: Replica, { rememberDays }: SharedServerOptions): Promise<void> {
  const forgetSome = (): Promise<boolean> =>
    replica.enter('write', (manager) => {
      const before = (replica.register?.now ?? 0) - rememberDays * dayMs
      return forgetDue(manager, before)
    })
  try {
    while (await forgetSome());
  } catch {
    // The next hour tries again.
  }
}

function timer(ms: number, act: () => void): () => void {
  const timeout = setTimeout(act, ms)
  return () => clearTimeout(timeout)
}
