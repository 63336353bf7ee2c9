/**
 * Puts together a server that shares its log with others in PostgreSQL: replica, waker, tokens and app. All
 * servers are equal, and any of them answers for any queue.
 */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Millis } from '../engine/index.ts'
import { faultsIn } from './app-parts.ts'
import { type AppOptions, createApp } from './app.ts'
import { Failures } from './auth/failures.ts'
import { Refusals } from './auth/refusals.ts'
import type { HookPorts } from './forge/hook.ts'
import { forgesFor } from './forges.ts'
import type { Hosting } from './hosting/hosting.ts'
import type { HostOptions } from './hosting/options.ts'
import { listen } from './http/listening.ts'
import { once } from './http/once.ts'
import { Metrics } from './metrics/metrics.ts'
import { refusalMetrics } from './metrics/refusals.ts'
import { ServerFigures } from './metrics/server-figures.ts'
import { pagesOf } from './page/links.ts'
import { type PageOptions, openLivePage } from './page/live-page.ts'
import { sendPageError } from './page/page-error.ts'
import { servePages } from './page/routes.ts'
import { connect } from './postgres/connect.ts'
import { PostgresLog } from './postgres/postgres-log.ts'
import { PostgresOutbox, webhooksTerm } from './postgres/postgres-outbox.ts'
import { sharedSessions } from './postgres/shared-sessions.ts'
import { sharedTerms } from './postgres/shared-terms.ts'
import { SharedTokens, issueFirstSharedToken } from './postgres/shared-tokens.ts'
import { shownUrl } from './postgres/store-fault.ts'
import { forgetDue } from './queues/forgetful.ts'
import { CommittedOnDemand } from './replica/committed-on-demand.ts'
import { Follower } from './replica/follower.ts'
import type { Register } from './replica/register.ts'
import { Replica } from './replica/replica.ts'
import { Waker } from './replica/waker.ts'
import { noReports } from './runner/verdict.ts'
import type { ServerOptions, ServerPorts } from './server.ts'
import { SharedHosts, type SharedHostsParts } from './shared-hosts.ts'
import { systemTimers } from './timing/timers.ts'
import type { StateCase } from './views/state-case.ts'
import { post } from './webhooks/post.ts'
import { Sender, type SenderPorts } from './webhooks/sender.ts'

export type SharedServerOptions = Pick<
  ServerOptions,
  'port' | 'host' | 'token' | 'stateCase' | 'rememberDays' | 'timeouts' | 'page'
> & {
  /** The URL of the PostgreSQL that keeps the log. */
  readonly store: string
  /** The queues that one of the servers works on; the same for all servers. */
  readonly hosting?: readonly HostOptions[]
  /** The folder for copies of repositories, test runs and their logs, of this server alone. */
  readonly data?: string
}

type SharedServerPorts = Pick<
  ServerPorts,
  'logger' | 'accessLog' | 'onFirstToken' | 'readReports' | 'forge'
>

export type SharedServer = { readonly url: string; readonly stop: () => Promise<void> }

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** The replica of a server, what wakes its queues, and the time of the log. */
function replicaOf(database: PostgresLog, logger: ServerPorts['logger']) {
  const clock = new LogClock(() => performance.now())
  const replica: Replica = new Replica({
    database,
    onFault: (error) => logger.error({ err: error }, 'the log cannot be followed'),
    onDue: (inMs) => {
      waker.note(inMs)
      if (replica.register) clock.note(replica.register.now)
    },
  })
  const waker = new Waker(replica, systemTimers)
  return { replica, waker, clock }
}

/** Starts a server; settles when it listens. Throws `StoreFault` for a PostgreSQL that cannot be used. */
export async function startSharedServer(
  options: SharedServerOptions,
  ports: SharedServerPorts,
): Promise<SharedServer> {
  const { logger } = ports
  const pool = await connect(options.store)
  const log = new PostgresLog(pool)
  const { replica, waker, clock } = replicaOf(log, logger)
  const sender = senderOf(pool, log, {
    logger,
    isAble: () => replica.isCurrent,
    pageOf: pagesOf(options.page ?? null, {
      find: (name) => replica.register?.manager.registry.find(name),
    }),
  })
  let hosts: SharedHosts | null = null
  try {
    await replica.look()
    if (options.token === null) await issueFirstSharedToken(pool, ports.onFirstToken)
    const auth = await SharedTokens.open(pool, options.token)
    let isStopping = false
    const isReady = (): boolean => !isStopping && replica.isCurrent && replica.register !== null
    const failures = new Failures()
    const { stateCase } = options
    hosts = await hostsOf(options, ports, { pool, log, replica, now: clock.now })
    const hosting: Hosting = hosts ?? { of: () => null, all: [] }
    const parts = { pool, log, replica, auth, failures, hosting, stateCase, logger }
    const page = options.page ? openSharedPage(options.page, parts) : null
    const app = createApp(
      appOf(options, ports, {
        ...{ replica, auth, sender, failures, page, isReady, hosting },
        isWorking: () => hosts?.isWorking ?? null,
        hooks: hosts?.hooks ?? [],
      }),
    )
    await hosts?.start()
    const { url, close } = await listen(options, app, logger)
    logger.info({ url, store: shownUrl(options.store) }, 'listening')
    waker.start()
    sender.start()
    const forgetting = setInterval(() => void forget(replica, options), hourMs).unref()
    const stop = once(async (): Promise<void> => {
      isStopping = true
      clearInterval(forgetting)
      waker.stop()
      await hosts?.stop()
      await page?.end()
      await sender.stop()
      await close()
      auth.close()
      await replica.save().catch(() => undefined)
      await pool.end()
      logger.info('stopped')
    })
    return { url, stop }
  } catch (error) {
    waker.stop()
    await hosts?.stop()
    await pool.end()
    throw error
  }
}

type HostsParts = Pick<SharedHostsParts, 'pool' | 'log' | 'replica' | 'now'>

/** Null: the queues have no repositories here. */
async function hostsOf(
  { hosting = [], data, page }: SharedServerOptions,
  { logger, readReports = noReports, forge }: SharedServerPorts,
  parts: HostsParts,
): Promise<SharedHosts | null> {
  if (hosting.length === 0 || data === undefined) return null
  const { publicUrl = '' } = page ?? {}
  const forges = await forgesFor(hosting, logger, { ...(publicUrl && { publicUrl }), ...forge })
  return new SharedHosts(hosting, {
    ...parts,
    ...(forges ? { forges } : {}),
    logger,
    readReports,
    folder: data,
    timers: systemTimers,
    clock: () => performance.now(),
    hooks: forges?.hooks ?? [],
  })
}

type AppParts = {
  readonly replica: Replica
  readonly auth: SharedTokens
  readonly failures: Failures
  readonly page: SharedPage | null
  readonly sender: Sender
  readonly hosting: Hosting
  readonly hooks: readonly HookPorts[]
  readonly isReady: () => boolean
  readonly isWorking: () => boolean | null
}

function appOf(
  { stateCase, timeouts }: SharedServerOptions,
  { logger, accessLog = logger }: Pick<ServerPorts, 'logger' | 'accessLog'>,
  { replica, auth, sender, failures, page, hosting, hooks, isReady, isWorking }: AppParts,
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
    isWorking,
  })
  return {
    enter: replica.enter,
    gateParts,
    logger,
    accessLog,
    stateCase,
    timeouts,
    hosting,
    hooks,
    isReady,
    warnings: () => faultsIn(hosting),
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

// The sender of webhooks of a server that shares its log with others.

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
    terms: sharedTerms(pool, webhooksTerm),
    follow: (after) => Follower.open(log, after),
    post,
    clock: () => performance.now(),
    timers: systemTimers,
  })
}

// The live page of a server that shares its log with others.

type SharedPageParts = {
  readonly pool: Pool
  readonly log: PostgresLog
  readonly replica: Replica
  readonly auth: SharedTokens
  readonly failures: Failures
  readonly hosting: Hosting
  readonly stateCase: StateCase
  readonly logger: Logger
}

type SharedPage = {
  readonly servePages: NonNullable<AppOptions['servePages']>
  /** Ends all streams and forecasts. */
  readonly end: () => Promise<void>
}

const unavailable = { status: 503, text: 'the log cannot be read now', retryAfter: 1 }

/**
 * Shows what is committed. A page may be on any server, and moves to another one when that ends. The log is
 * followed for it from the first visit on.
 */
function openSharedPage(
  options: PageOptions,
  { pool, log, replica, auth, failures, hosting, stateCase, logger }: SharedPageParts,
): SharedPage {
  const committed = new CommittedOnDemand({
    database: log,
    enter: replica.enter,
    timers: systemTimers,
    onFault: (error) => logger.error({ err: error }, 'the log cannot be followed'),
    onReplaced: () => page.feed.reset(),
  })
  const manager = {
    get registry() {
      return committed.registry
    },
    subscribe: (...[subscriber]: Parameters<CommittedOnDemand['subscribe']>) => {
      committed.subscribe(subscriber)
    },
    durable: () => undefined,
  }
  const kept = sharedSessions(pool)
  const now = (): number => replica.register?.now ?? 0
  const page = openLivePage(options, { kept, auth, logger, manager, hosting, now })
  return {
    servePages: (app) => {
      app.use('/page/', async (_request, response, next) => {
        try {
          await committed.open()
        } catch (error) {
          logger.warn({ err: error }, 'the page cannot be shown')
          return sendPageError(response, unavailable)
        }
        next()
      })
      servePages(app, {
        ...page,
        ...{ auth, failures, hosting, stateCase, now },
        enter: replica.enter,
        registry: () => committed.registry,
      })
    },
    end: async () => {
      await page.end()
      await committed.close()
      await page.sessions.close()
    },
  }
}

// The time of the database between two rounds, by the clock of this server, which is not set.

class LogClock {
  readonly #clock: () => Millis
  #aheadMs = 0

  constructor(clock: () => Millis) {
    this.#clock = clock
  }

  /** The log was read at this time of the database. */
  note(now: Millis): void {
    this.#aheadMs = now - this.#clock()
  }

  readonly now = (): Millis => Math.floor(this.#clock() + this.#aheadMs)
}
