/** Figures of one server: its requests, its data folder and its newest backup. */

import { subscribe } from 'node:diagnostics_channel'
import { statfs } from 'node:fs/promises'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Millis } from '../../engine/index.ts'
import { openApi } from '../contract/openapi.ts'
import { syncTimes } from '../files/replace-file.ts'
import { once } from '../files/turns.ts'

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const msPerSecond = 1000

/** Only these are labels, because anybody can send any path. */
const routes: ReadonlySet<string> = new Set([
  ...Object.keys(openApi.paths).map((path) => `/v1${path}`),
  ...['/healthz', '/readyz', '/openapi.json', '/docs', '/metrics'],
])
const otherRoute = 'other'

export type ServerFiguresPorts = {
  /** The data folder; null: the server has none. */
  readonly folder: {
    readonly path: string
    /** When the newest backup was made; null: there is none. */
    readonly newestBackup: () => Promise<Millis | null>
  } | null
  readonly isReady: () => boolean
  readonly knownPullRequests: () => number
  /** By how much the clock of the queues is ahead of the system time, in milliseconds. */
  readonly clockAheadMs: () => number
  /** Whether it delivers webhooks; null if there are none. */
  readonly isSending: () => boolean | null
  /** Whether it works on the repositories; null if there are none. */
  readonly isWorking: () => boolean | null
}

export class ServerFigures {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'route' | 'status'>

  constructor(ports: ServerFiguresPorts) {
    const { folder, isReady, knownPullRequests, clockAheadMs, isSending, isWorking } = ports
    const registers = [this.#registry]
    this.#requests = new Histogram({
      name: 'mergeyard_request_seconds',
      help: 'Time from the headers of a request to the end of its response',
      labelNames: ['route', 'status'],
      buckets: requestBuckets,
      registers,
    })
    const gauge = (
      name: string,
      help: string,
      read: () => Promise<number | null> | number | null,
    ): void =>
      this.#registry.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          async collect() {
            this.reset()
            const value = await read()
            if (value === null) this.remove()
            else this.set(value)
          },
        }),
      )
    gauge(
      'mergeyard_ready',
      '1 if the server accepts requests, 0 if it stops or cannot write',
      () => Number(isReady()),
    )
    const known =
      'Pull requests in memory: in the queues, and those that left and are not forgotten'
    gauge('mergeyard_known_pull_requests', known, knownPullRequests)
    gauge(
      'mergeyard_clock_ahead_seconds',
      'By how much the clock of the queues is ahead of the system time',
      () => clockAheadMs() / msPerSecond,
    )
    gauge(
      'mergeyard_webhook_sender',
      '1 if this server delivers webhooks, 0 if another one should; absent if there are none',
      () => numberOrNull(isSending()),
    )
    gauge(
      'mergeyard_repository_worker',
      '1 if this server works on the repositories, 0 if another one should; absent if there are none',
      () => numberOrNull(isWorking()),
    )
    if (folder !== null) {
      gauge(
        'mergeyard_data_free_bytes',
        'Free space of the disk with the data folder',
        async () => (await diskSpace(folder.path)).free,
      )
      gauge(
        'mergeyard_data_size_bytes',
        'Size of the disk with the data folder',
        async () => (await diskSpace(folder.path)).size,
      )
      gauge(
        'mergeyard_backup_age_seconds',
        'Time since the newest backup; absent if there was none',
        async () => ageOf(await folder.newestBackup()),
      )
    }
    processFigures()
  }

  /** Counts a request by route and status. */
  readonly onRequest = (route: string | null, status: number, ms: number): void => {
    const label = route !== null && routes.has(route) ? route : otherRoute
    this.#requests.observe({ route: label, status: String(status) }, ms / msPerSecond)
  }

  /** The response text of a scrape. */
  async text(): Promise<string> {
    return Registry.merge([processFigures(), this.#registry]).metrics()
  }
}

const numberOrNull = (is: boolean | null): number | null => (is === null ? null : Number(is))

const syncBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/**
 * Figures of the whole process: the event loop, memory, and the disk. They exist once, also if several
 * servers run in one process. Collects from the first call on.
 */
const processFigures = once((): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const sync = new Histogram({
    name: 'mergeyard_fdatasync_seconds',
    help: 'Time of each fdatasync of the command log, for which responses wait',
    buckets: syncBuckets,
    registers: [registry],
  })
  subscribe(syncTimes.name, (seconds) => {
    if (typeof seconds === 'number') sync.observe(seconds)
  })
  return registry
})

async function diskSpace(
  folder: string,
): Promise<{ readonly free: number; readonly size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** In seconds; null for nothing. */
const ageOf = (made: Millis | null): number | null =>
  made === null ? null : Math.max(0, Date.now() - made) / msPerSecond
