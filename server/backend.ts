/**
 * Puts a server together: the API, the live page and the figures, in front of the queues. The queues are
 * kept in a data folder, or in a PostgreSQL that several servers share; both are a `Backend`.
 */

import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import type { Millis } from '../engine/index.ts'
import { createApp } from './app.ts'
import { Failures, refusalReasons } from './auth/gate.ts'
import type { Auth } from './auth/tokens.ts'
import type { CodeHostPorts } from './code-host/api-code-host.ts'
import type { ApiCodeHosts } from './code-host/code-hosts.ts'
import type { HookPorts } from './code-host/hook.ts'
import { Counts } from './history/counts.ts'
import { codeHostsFor } from './code-hosts.ts'
import type { Hosting } from './hosting/hosting.ts'
import type { HostOptions } from './hosting/options.ts'
import type { RequestTimeouts } from './http/limits.ts'
import { listen, type Listening } from './http/listening.ts'
import { once } from './files/turns.ts'
import { nameOfQueue } from './identity/queue-ref.ts'
import { metricsOf } from './metrics/metrics.ts'
import { ServerFigures, type ServerFiguresPorts } from './metrics/server-figures.ts'
import { type FeedParts, type LivePage, openLivePage, type PageOptions } from './page/live-page.ts'
import { sendPageError, servePages } from './page/routes.ts'
import type { KeptSessions, KnownTokens } from './page/sessions.ts'
import { type Enter, StoreUnavailable } from './queues/entrance.ts'
import { Forgetful } from './queues/forgetful.ts'
import type { ManagedQueue } from './queues/managed-queue.ts'
import type { ReadReports } from './runner/verdict.ts'
import type { StateCase } from './views/state-case.ts'

/** What a server of either kind is told. */
export type ServeOptions = {
  readonly port: number
  readonly host: string
  /** An admin token that only this process accepts; null: none. */
  readonly token: string | null
  readonly stateCase: StateCase
  /** What left the queue is forgotten after so many days. */
  readonly rememberDays: number
  readonly timeouts: RequestTimeouts
  /** The live page; absent: the server has none. */
  readonly page?: PageOptions
  /** The queues that this server works on itself, or that one of several servers works on. */
  readonly hosting?: readonly HostOptions[]
}

export type ServePorts = {
  readonly logger: Logger
  /** Gets a line for each request. Default: `logger`. */
  readonly accessLog?: Logger
  /** Called with a new admin token if there was none. The secret itself is not stored. */
  readonly onFirstToken: (secret: string) => void
  /** Reads the JUnit reports of test commands. Default: reports are not read. */
  readonly readReports?: ReadReports
  /** How fast code hosts are asked. Default: as fast as they allow. */
  readonly codeHost?: CodeHostPorts
}

/** Keeps the queues of a server, and works on their repositories. */
export type Backend = Pick<
  ServerFiguresPorts,
  'folder' | 'isReady' | 'isSending' | 'isWorking' | 'clockAheadMs'
> & {
  readonly enter: Enter
  readonly auth: Auth & KnownTokens
  readonly hosting: Hosting
  readonly hooks: readonly HookPorts[]
  readonly now: () => Millis
  /** What this server knows of the queues now. */
  readonly queues: () => Iterable<ManagedQueue>
  readonly webhookMetrics: (queues: readonly ManagedQueue[]) => Promise<string>
  /** What an administrator must know, besides the faults of repositories. */
  readonly warnings: () => readonly string[]
  /** Called at most once. Calls `onReplaced` when what was shown is not valid any more. */
  readonly shown: (onReplaced: () => void) => ShownQueues
  /** Begins all work of its own; settles when the queues are there. */
  readonly start: () => Promise<void>
  /** Ends all work of its own; requests are still answered. */
  readonly stopWork: () => Promise<void>
  /** Writes what is pending, and releases everything. */
  readonly close: () => Promise<void>
}

/** What the live page shows, and who is signed in there. */
export type ShownQueues = {
  readonly manager: FeedParts['manager']
  readonly kept: KeptSessions
  /** Settles when `manager` is up to date. Called before each request. */
  readonly open?: () => Promise<void>
}

export type RunningServer = {
  /** The address of the server: `http://127.0.0.1:3000`. */
  readonly url: string
  /** Settles when everything is written and released. */
  readonly stop: () => Promise<void>
}

/** Loads the code hosts of the queues; null: no queue is on a host with an API. */
export function codeHostsOf(
  { hosting = [], page }: Pick<ServeOptions, 'hosting' | 'page'>,
  { logger, codeHost }: Pick<ServePorts, 'logger' | 'codeHost'>,
): Promise<ApiCodeHosts | null> {
  const { publicUrl = '' } = page ?? {}
  return codeHostsFor(hosting, logger, { ...(publicUrl === '' ? {} : { publicUrl }), ...codeHost })
}

/**
 * Serves the queues of a backend; settles when the server listens. If it cannot, the backend is closed.
 *
 * A stop goes in the reverse order: accept no new requests, finish those in progress, write what is
 * pending, and release the backend.
 */
export async function serveBackend(
  options: ServeOptions,
  ports: ServePorts,
  backend: Backend,
): Promise<RunningServer> {
  const { logger } = ports
  let isStopping = false
  let page: LivePage | null = null
  let listening: Listening | null = null
  const forgetful = new Forgetful(options.rememberDays, {
    ...backend,
    onFault: (error) => {
      // That the store cannot be reached is told already.
      if (!(error instanceof StoreUnavailable))
        logger.error({ err: error }, 'the queues cannot forget')
    },
  })
  const stop = once(async (): Promise<void> => {
    isStopping = true
    await page?.end()
    forgetful.stop()
    await backend.stopWork()
    await listening?.close()
    await page?.sessions.close()
    await backend.close()
  })
  try {
    const shown = options.page ? backend.shown(() => page?.feed.reset()) : null
    const { auth, hosting, now } = backend
    page =
      options.page && shown
        ? openLivePage(options.page, { ...shown, auth, logger, hosting, now })
        : null
    const isReady = (): boolean => !isStopping && backend.isReady()
    const served = page && shown && { page, shown }
    const app = appOf(options, ports, { backend: { ...backend, isReady }, served })
    await backend.start()
    forgetful.start()
    listening = await listen(options, app, logger)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: listening.url,
    stop: async () => {
      await stop()
      logger.info('stopped')
    },
  }
}

type AppParts = {
  readonly backend: Backend
  /** The live page; null: the server has none. */
  readonly served: { readonly page: LivePage; readonly shown: ShownQueues } | null
}

function appOf(
  { stateCase, timeouts }: ServeOptions,
  { logger, accessLog = logger }: ServePorts,
  { backend, served }: AppParts,
): RequestListener {
  const { enter, auth, hosting, hooks, isReady, now } = backend
  const gateParts = { auth, failures: new Failures(), refusals: new Counts() }
  const figures = new ServerFigures({
    ...backend,
    knownPullRequests: () =>
      [...backend.queues()].reduce((sum, { history }) => sum + history.pullRequests.size, 0),
  })
  return createApp({
    enter,
    gateParts,
    logger,
    accessLog,
    stateCase,
    timeouts,
    hosting,
    hooks,
    isReady,
    warnings: () => [...backend.warnings(), ...faultsIn(hosting)],
    metricsOf: async (queues, isWhole) => {
      const texts = [await metricsOf(queues, now()), await backend.webhookMetrics(queues)]
      if (isWhole) texts.push(await refusalMetrics(gateParts.refusals))
      return texts.join('')
    },
    servePages: (app) => {
      if (!served) return
      const { page, shown } = served
      app.use('/page/', async (_request, response, next) => {
        try {
          await shown.open?.()
        } catch (error) {
          logger.warn({ err: error }, 'the page cannot be shown')
          return sendPageError(response, unavailable)
        }
        next()
      })
      servePages(app, {
        ...page,
        auth,
        enter,
        hosting,
        stateCase,
        now,
        failures: gateParts.failures,
        registry: () => shown.manager.registry,
      })
    },
    figuresText: () => figures.text(),
    onRequest: figures.onRequest,
  })
}

const unavailable = { status: 503, text: 'the log cannot be read now', retryAfter: 1 }

/** Without the words of git, which can name paths. */
function faultsIn({ all }: Pick<Hosting, 'all'>): string[] {
  return [...all]
    .filter((hosted) => hosted.status().faults.length > 0)
    .map(({ ref }) => `${nameOfQueue(ref)} cannot work: getRepositoryStatus says why`)
}

/** The metric of refused requests, which belongs to no queue. */
async function refusalMetrics(refusals: Counts): Promise<string> {
  // Loaded by the first scrape, because not every server is scraped.
  const { metricsWith } = await import('./metrics/definitions.ts')
  const { registry, counter } = metricsWith('reason')
  const refused = counter(
    'mq_auth_failures_total',
    'Requests that were refused because of their token',
  )
  for (const reason of refusalReasons) refused.inc({ reason }, refusals.of(reason))
  return registry.metrics()
}
