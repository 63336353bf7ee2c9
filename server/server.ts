/**
 * Puts a server together: data folder, queue manager, clock, tokens and app.
 *
 * A stop goes in the reverse order: accept no new requests, finish those in progress, write what is
 * pending, and release the folder.
 */

import type { Logger } from 'pino'
import { appOf } from './app-parts.ts'
import { TokenFile } from './auth/token-file.ts'
import { makeToken, readTokens, writeTokens } from './auth/tokens.ts'
import type { ForgePorts } from './forge/api-forge.ts'
import type { ApiForges } from './forge/forges.ts'
import { forgesFor } from './forges.ts'
import type { HostedPorts } from './hosting/hosted-repository.ts'
import { Hosts } from './hosting/hosts.ts'
import type { HostOptions } from './hosting/options.ts'
import { queuesOf } from './hosting/queues.ts'
import type { RequestTimeouts } from './http/limits.ts'
import { listen } from './http/listening.ts'
import { Metrics } from './metrics/metrics.ts'
import { pagesOf } from './page/links.ts'
import {
  type LivePage,
  type LivePageParts,
  type PageOptions,
  openLivePage,
} from './page/live-page.ts'
import { sessionFile } from './page/sessions.ts'
import { ClockWatch } from './queues/clock-watch.ts'
import { Forgetful } from './queues/forgetful.ts'
import { QueueManager } from './queues/queue-manager.ts'
import { SystemClock, type TimeSource, systemTime } from './queues/system-clock.ts'
import { type ReadReports, noReports } from './runner/verdict.ts'
import { type DataFolder, dataFolder, markDemo } from './store/data-folder.ts'
import { type Store, openStore } from './store/store.ts'
import type { StateCase } from './views/state-case.ts'
import { readEndpoints } from './webhooks/endpoints.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export type ServerOptions = {
  readonly port: number
  readonly host: string
  readonly data: string
  /** An admin token that only this process accepts; null: none. */
  readonly token: string | null
  readonly stateCase: StateCase
  /** Segments of the command log that are older, in days, are removed; null keeps all. */
  readonly keepDays: number | null
  /** What left the queue is forgotten after so many days. */
  readonly rememberDays: number
  readonly timeouts: RequestTimeouts
  /** How much faster than real time the clock of a demo runs; null: not a demo, real time. */
  readonly speed: number | null
  /** The live page; absent: the server has none. */
  readonly page?: PageOptions
  /** The queues that this server works on itself. */
  readonly hosting?: readonly HostOptions[]
}

export type ServerPorts = {
  readonly logger: Logger
  /** Gets a line for each request. Default: `logger`. */
  readonly accessLog?: Logger
  /** Called with a new admin token if there was none. The secret itself is not stored. */
  readonly onFirstToken: (secret: string) => void
  /** Called when the command log cannot be written; the caller must stop the server. */
  readonly onFailure: () => void
  /** Default: the time of the system. */
  readonly time?: TimeSource
  /** Reads the JUnit reports of test commands. Default: reports are not read. */
  readonly readReports?: ReadReports
  /** Called instead of sending an answer of a repository at once. */
  readonly hold?: HostedPorts['hold']
  /** How fast code hosts are asked. Default: as fast as they allow. */
  readonly forge?: ForgePorts
}

export type RunningServer = {
  readonly manager: QueueManager
  readonly hosts: Hosts
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
  // A start that fails because of these files changes nothing.
  readTokens(folder.tokens)
  readEndpoints(folder.webhooks)
  const clock = new SystemClock(options.speed ?? 1, ports.time)
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
  const { logger } = ports
  await issueFirstToken(folder, options, ports)
  const auth = new TokenFile(folder.tokens, options.token, logger)
  const { registry, log } = store
  // Made now, because no request may take the time to sort a hundred thousand pull requests.
  for (const queue of registry.queues) queue.positions()
  const pageOf = pagesOf(options.page ?? null, registry)
  const webhooks = await Webhooks.open(folder, registry, { logger, pageOf })
  clock.start((queue) => wake(queue), registry.at)
  const watch = new ClockWatch(clock, logger, ports.time ?? systemTime)
  watch.start()
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
  const metrics = new Metrics(() => clock.now())
  manager.subscribe(webhooks.onCommand)
  const forgetful = new Forgetful(manager, options.rememberDays, {
    now: () => clock.now(),
    onFault: (error, queue) => logger.error({ err: error, queue }, 'the queue cannot forget'),
  })
  forgetful.start()
  const parts = { ...{ auth, clock, folder, manager, metrics, store, watch, webhooks }, isReady }
  const { hosts, forges } = await openHosts(options, { ports, folder, clock }, manager)
  const page = openPage(options, { manager, hosting: hosts, clock, folder, auth, logger })
  const app = appOf(options, ports, { ...parts, hosts, page, hooks: forges?.hooks ?? [] })
  const { url, close } = await listen(options, app, logger)
  logger.info({ url, data: folder.path }, 'listening')
  const stop = async (): Promise<void> => {
    isStopping = true
    await page?.end()
    forgetful.stop()
    clock.stop()
    await hosts.close()
    watch.stop()
    await close()
    await page?.sessions.close()
    auth.close()
    // What is not written is made again from the log.
    if (log.failure) webhooks.abandon()
    else await webhooks.close()
    await store.close()
    logger.info('stopped')
  }
  return { manager, hosts, url, stop }
}

/** Opens the repositories of the queues, with the hosts of their pull requests. */
async function openHosts(
  { hosting = [], page }: ServerOptions,
  { ports, folder, clock }: Pick<ServerParts, 'ports' | 'folder' | 'clock'>,
  manager: QueueManager,
): Promise<{ readonly hosts: Hosts; readonly forges: ApiForges | null }> {
  const { publicUrl = '' } = page ?? {}
  const ofForges = { ...(publicUrl === '' ? {} : { publicUrl }), ...ports.forge }
  const forges = await forgesFor(hosting, ports.logger, ofForges)
  const hosts = await Hosts.open(hosting, {
    queues: queuesOf(manager),
    logger: ports.logger,
    folder: folder.path,
    now: () => clock.now(),
    readReports: ports.readReports ?? noReports,
    ...(ports.hold ? { hold: ports.hold } : {}),
    ...(forges ? { forges } : {}),
  })
  return { hosts, forges }
}

type PageParts = Omit<LivePageParts, 'now' | 'kept'> & {
  readonly clock: SystemClock
  readonly folder: DataFolder
}

/** Throws if the file of the sessions is not valid. */
function openPage(
  { page, speed }: ServerOptions,
  { clock, folder, ...parts }: PageParts,
): LivePage | null {
  if (!page) return null
  const kept = sessionFile(folder.sessions)
  const now = (): number => clock.now()
  return openLivePage({ ...page, isDemo: speed !== null }, { ...parts, kept, now })
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
