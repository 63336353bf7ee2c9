/** The live page of a server that shares its log with others. */

import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { AppOptions } from './app.ts'
import type { Failures } from './auth/failures.ts'
import type { Hosting } from './hosting/hosting.ts'
import { openLivePage, type PageOptions } from './page/live-page.ts'
import { servePages } from './page/routes.ts'
import type { PostgresLog } from './postgres/postgres-log.ts'
import { sharedSessions } from './postgres/shared-sessions.ts'
import type { SharedTokens } from './postgres/shared-tokens.ts'
import { sendPageError } from './page/page-error.ts'
import { CommittedOnDemand } from './replica/committed-on-demand.ts'
import type { Replica } from './replica/replica.ts'
import type { StateCase } from './views/state-case.ts'
import { systemTimers } from './timing/timers.ts'

export type SharedPageParts = {
  readonly pool: Pool
  readonly log: PostgresLog
  readonly replica: Replica
  readonly auth: SharedTokens
  readonly failures: Failures
  readonly hosting: Hosting
  readonly stateCase: StateCase
  readonly logger: Logger
}

export type SharedPage = {
  readonly servePages: NonNullable<AppOptions['servePages']>
  /** Ends all streams and forecasts. */
  readonly end: () => Promise<void>
}

const unavailable = { status: 503, text: 'the log cannot be read now', retryAfter: 1 }

/**
 * Shows what is committed. A page may be on any server, and moves to another one when that ends. The log is
 * followed for it from the first visit on.
 */
export function openSharedPage(
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
