/** A server with a data folder, of which it is the only writer. */

import {
  type Backend,
  type RunningServer as AnyServer,
  type ServeOptions,
  type ServePorts,
  codeHostsOf,
  serveBackend,
} from './backend.ts'
import { tokenFile, makeToken, readTokens, writeTokens } from './auth/tokens.ts'
import { readBesideLog } from './backup/beside-log.ts'
import type { HostedPorts } from './hosting/hosted-repository.ts'
import { Hosts } from './hosting/hosts.ts'
import { queuesOf } from './hosting/hosting.ts'
import { pagesOf } from './page/live-page.ts'
import { sessionFile } from './page/sessions.ts'
import { ClockWatch, SystemClock, type TimeSource, systemTime } from './queues/system-clock.ts'
import { QueueManager } from './queues/queue-manager.ts'
import { entranceOf } from './queues/entrance.ts'
import { makeRoom } from './runner/room.ts'
import { noReports } from './runner/verdict.ts'
import { type DataFolder, dataFolder, markDemo } from './store/data-folder.ts'
import { type Store, openStore } from './store/store.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export type ServerOptions = ServeOptions & {
  readonly data: string
  /** Segments of the command log that are older, in days, are removed; null keeps all. */
  readonly keepDays: number | null
  /** How much faster than real time the clock of a demo runs; null: not a demo, real time. */
  readonly speed: number | null
}

export type ServerPorts = ServePorts & {
  /** Called when the command log cannot be written; the caller must stop the server. */
  readonly onFailure: () => void
  /** Default: the time of the system. */
  readonly time?: TimeSource
  /** Called instead of sending an answer of a repository at once. */
  readonly hold?: HostedPorts['hold']
}

export type RunningServer = AnyServer & { readonly manager: QueueManager; readonly hosts: Hosts }

/**
 * Starts a server; settles when it listens. Throws errors with a message for the administrator:
 * `FolderInUse`, `DamagedData`, a port in use.
 */
export async function startServer(
  { page, ...options }: ServerOptions,
  ports: ServerPorts,
): Promise<RunningServer> {
  const { logger } = ports
  const isDemo = options.speed !== null
  const all = { ...options, ...(page ? { page: { ...page, isDemo } } : {}) }
  const folder = dataFolder(options.data)
  readBesideLog(folder)
  const clock = new SystemClock(options.speed ?? 1, ports.time)
  const store = await openStore(folder, {
    logger,
    keepDays: options.keepDays,
    makeRoom: () => makeRoom(folder.path),
    ports: { wakeAt: (queue, instant) => clock.wakeAt(queue, instant) },
    onFailure: (error) => {
      logger.fatal({ err: error }, 'the server stops')
      ports.onFailure()
    },
  })
  const opened = await openBackend(all, { ports, folder, clock, store }).catch(
    async (error: unknown) => {
      clock.stop()
      await store.close()
      throw error
    },
  )
  const { backend, ...others } = opened
  const server = await serveBackend(all, ports, backend)
  logger.info({ url: server.url, data: folder.path }, 'listening')
  return { ...others, ...server }
}

type Parts = {
  readonly ports: ServerPorts
  readonly folder: DataFolder
  readonly clock: SystemClock
  readonly store: Store
}

async function openBackend(options: ServerOptions, parts: Parts) {
  const { ports, folder, clock, store } = parts
  const { logger } = ports
  await markDemo(folder, { isDemo: options.speed !== null, isNew: store.registry.sequence === 0 })
  await issueFirstToken(folder, options, ports)
  const auth = tokenFile(folder.tokens, options.token, logger)
  const { registry, log } = store
  // Made now, because no request may take the time to sort a hundred thousand pull requests.
  for (const queue of registry.queues) queue.positions()
  const pageOf = pagesOf(options.page ?? null, registry)
  const webhooks = await Webhooks.open(folder, registry, { logger, pageOf })
  clock.start((queue) => wake(queue), registry.at)
  const watch = new ClockWatch(clock, logger, ports.time ?? systemTime)
  watch.start()
  const now = (): number => clock.now()
  const manager = new QueueManager(registry, { now, log })
  const wake = (queue: string): void => {
    try {
      if (registry.find(queue)) manager.send(queue, { type: 'wake' })
    } catch (error) {
      logger.error({ err: error, queue }, 'the queue could not be woken')
    }
  }
  manager.subscribe(webhooks.onCommand)
  const { hosts, hooks } = await openHosts(options, parts, manager)
  const backend: Backend = {
    enter: entranceOf(manager),
    auth,
    hosting: hosts,
    hooks,
    now,
    folder: { path: folder.path, newestBackup: () => newestBackupIn(folder) },
    isReady: () => log.failure === null,
    isSending: () => true,
    isWorking: () => true,
    clockAheadMs: () => clock.aheadMs(),
    queues: () => registry.queues,
    webhookMetrics: (queues) => webhooks.metricsOf(queues),
    warnings: () => [watch.warning() ?? [], damageIn(store), registry.stopped].flat(),
    shown: () => ({ manager, kept: sessionFile(folder.sessions) }),
    start: () => Promise.resolve(),
    stopWork: async () => {
      clock.stop()
      await hosts.close()
      watch.stop()
    },
    close: async () => {
      auth.close()
      // What is not written is made again from the log.
      if (log.failure) webhooks.abandon()
      else await webhooks.close()
      await store.close()
    },
  }
  return { backend, manager, hosts }
}

/** Opens the repositories of the queues, with the hosts of their pull requests. */
async function openHosts(
  options: ServerOptions,
  { ports, folder, clock }: Pick<Parts, 'ports' | 'folder' | 'clock'>,
  manager: QueueManager,
) {
  const { logger, readReports = noReports, hold } = ports
  const codeHosts = await codeHostsOf(options, ports)
  const hosts = await Hosts.open(options.hosting ?? [], {
    logger,
    readReports,
    isStart: true,
    queues: queuesOf(manager),
    folder: folder.path,
    now: () => clock.now(),
    ...(hold ? { hold } : {}),
    ...(codeHosts ? { codeHosts } : {}),
  })
  return { hosts, hooks: codeHosts?.hooks ?? [] }
}

/** The archive is not loaded before the first scrape asks. */
async function newestBackupIn(folder: DataFolder): Promise<number | null> {
  const { newestBackupAt } = await import('./backup/backup.ts')
  return newestBackupAt(folder)
}

/** Without paths of the machine: the log and `mergeyard verify` name the files. */
function damageIn({ faults }: Store): string[] {
  const { length } = faults()
  const what = length === 1 ? '1 older file is damaged' : `${length} older files are damaged`
  return length === 0 ? [] : [`${what}: mergeyard verify names what is wrong`]
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
