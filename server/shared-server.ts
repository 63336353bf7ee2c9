/**
 * A server that shares its log with others in PostgreSQL. All servers are equal, and any of them answers
 * for any queue.
 */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import type { Millis } from '../engine/index.ts'
import {
  type Backend,
  type RunningServer,
  type ServeOptions,
  type ServePorts,
  type ShownQueues,
  codeHostsOf,
  serveBackend,
} from './backend.ts'
import { pagesOf } from './page/live-page.ts'
import { connect } from './postgres/connect.ts'
import { PostgresLog } from './postgres/postgres-log.ts'
import { PostgresOutbox, webhooksTerm } from './postgres/postgres-outbox.ts'
import { sharedSessions, sharedTerms } from './postgres/shared-state.ts'
import { issueFirstSharedToken, openSharedTokens } from './postgres/shared-tokens.ts'
import { shownUrl } from './postgres/store-fault.ts'
import type { AppliedCommand } from './queues/publisher.ts'
import type { QueueRegistry } from './queues/queue-registry.ts'
import { Committed, CommittedOnDemand, type CommittedPorts, Follower } from './replica/committed.ts'
import { Replica, Waker } from './replica/replica.ts'
import { noReports } from './runner/verdict.ts'
import { SharedHosts } from './shared-hosts.ts'
import { systemTimers } from './timing/timers.ts'
import { post } from './webhooks/post.ts'
import { Sender, type SenderPorts } from './webhooks/sender.ts'

export type SharedServerOptions = ServeOptions & {
  /** The URL of the PostgreSQL that keeps the log. */
  readonly store: string
  /** The folder for copies of repositories, test runs and their logs, of this server alone. */
  readonly data?: string
}

type SharedServerPorts = ServePorts & {
  /** Gets every command of all servers that is committed from the start on. */
  readonly onCommitted?: (applied: AppliedCommand, registry: QueueRegistry) => void
}

export type SharedServer = RunningServer

/** Starts a server; settles when it listens. Throws `StoreFault` for a PostgreSQL that cannot be used. */
export async function startSharedServer(
  options: SharedServerOptions,
  ports: SharedServerPorts,
): Promise<SharedServer> {
  const pool = await connect(options.store)
  const backend = await openBackend(options, ports, pool).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  const server = await serveBackend(options, ports, backend)
  ports.logger.info({ url: server.url, store: shownUrl(options.store) }, 'listening')
  return server
}

async function openBackend(
  options: SharedServerOptions,
  ports: SharedServerPorts,
  pool: Pool,
): Promise<Backend> {
  const { logger, onCommitted } = ports
  const log = new PostgresLog(pool)
  const { replica, waker, logNow } = replicaOf(log, logger)
  const { enter } = replica
  const queues = () => replica.register?.manager.registry.queues ?? []
  const findAny = (name: string) => replica.register?.manager.registry.findAny(name)
  const sender = senderOf(pool, log, {
    logger,
    isAble: () => replica.isCurrent,
    pageOf: pagesOf(options.page ?? null, { findAny }),
  })
  await replica.poll()
  if (options.token === null) await issueFirstSharedToken(pool, ports.onFirstToken)
  const auth = await openSharedTokens(pool, options.token)
  const hosts = await hostsOf(options, ports, { pool, log, replica, now: logNow })
  const now = (): Millis => replica.register?.now ?? 0
  let committed: CommittedOnDemand | null = null
  const following = {
    database: log,
    enter,
    timers: systemTimers,
    onFault: (error: unknown) => logger.error({ err: error }, 'the log cannot be followed'),
  }
  const told = onCommitted ? await toldOf(following, onCommitted) : null
  return {
    enter,
    auth,
    queues,
    now,
    folder: null,
    hosting: hosts ?? { of: () => null, all: [] },
    hooks: hosts?.hooks ?? [],
    isReady: () => replica.isCurrent && replica.register !== null,
    isSending: () => sender.isSending,
    isWorking: () => hosts?.isWorking ?? null,
    clockAheadMs: () => 0,
    webhookMetrics: sender.metricsOf,
    warnings: () => replica.register?.manager.registry.stopped ?? [],
    shown: (onReplaced) => {
      committed = new CommittedOnDemand({ ...following, onReplaced })
      return shownQueues(committed, pool)
    },
    start: async () => {
      await hosts?.start()
      waker.start()
      sender.start()
    },
    stopWork: async () => {
      waker.stop()
      await hosts?.stop()
      await committed?.close()
      await told?.close()
      await sender.stop()
    },
    close: async () => {
      auth.close()
      await replica.save().catch(() => undefined)
      await pool.end()
    },
  }
}

async function toldOf(
  ports: CommittedPorts,
  tell: NonNullable<SharedServerPorts['onCommitted']>,
): Promise<Committed> {
  const committed = await Committed.open(ports)
  committed.subscribe((applied) => tell(applied, committed.registry))
  return committed
}

/** The replica of a server, what wakes its queues, and the time of the log. */
function replicaOf(database: PostgresLog, logger: ServePorts['logger']) {
  // The time of the database between two rounds, by the clock of this server, which is not set.
  let aheadMs = 0
  const replica: Replica = new Replica({
    database,
    onFault: (error) => logger.error({ err: error }, 'the log cannot be followed'),
    onDue: (inMs) => {
      waker.note(inMs)
      if (replica.register) aheadMs = replica.register.now - systemTimers.now()
    },
  })
  const waker = new Waker(replica, systemTimers)
  return { replica, waker, logNow: () => Math.floor(systemTimers.now() + aheadMs) }
}

type HostsParts = { readonly pool: Pool; readonly log: PostgresLog; readonly replica: Replica }

/** Null: the queues have no repositories here. */
async function hostsOf(
  options: SharedServerOptions,
  ports: ServePorts,
  parts: HostsParts & { readonly now: () => Millis },
): Promise<SharedHosts | null> {
  const { hosting = [], data } = options
  if (hosting.length === 0 || data === undefined) return null
  const { logger, readReports = noReports } = ports
  const codeHosts = await codeHostsOf(options, ports)
  return new SharedHosts(hosting, {
    ...parts,
    logger,
    readReports,
    folder: data,
    timers: systemTimers,
    ...(codeHosts ? { codeHosts } : {}),
    hooks: codeHosts?.hooks ?? [],
  })
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
    terms: sharedTerms(pool, webhooksTerm),
    follow: (after) => Follower.open(log, after),
    post,
    timers: systemTimers,
  })
}

/**
 * The page shows what is committed. It may be on any server, and moves to another one when that ends. The
 * log is followed for it from the first visit on.
 */
function shownQueues(committed: CommittedOnDemand, pool: Pool): ShownQueues {
  const manager: ShownQueues['manager'] = {
    get registry() {
      return committed.registry
    },
    subscribe: (subscriber) => committed.subscribe(subscriber),
    durable: () => undefined,
  }
  return { manager, kept: sharedSessions(pool), open: () => committed.open() }
}
