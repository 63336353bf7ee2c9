/** Puts the app together: what its operations, its metrics and its readiness need of the server. */

import type { RequestListener } from 'node:http'
import { createApp, type AppOptions } from './app.ts'
import { Failures } from './auth/failures.ts'
import { Refusals } from './auth/refusals.ts'
import type { TokenFile } from './auth/token-file.ts'
import type { HookPorts } from './forge/hook.ts'
import type { Hosting } from './hosting/hosting.ts'
import type { Hosts } from './hosting/hosts.ts'
import { nameOfQueue } from './identity/queue-ref.ts'
import type { LivePage } from './page/live-page.ts'
import { servePages } from './page/routes.ts'
import type { Metrics } from './metrics/metrics.ts'
import { refusalMetrics } from './metrics/refusals.ts'
import { ServerFigures } from './metrics/server-figures.ts'
import type { ClockWatch } from './queues/clock-watch.ts'
import { entranceOf } from './queues/entrance.ts'
import type { QueueManager } from './queues/queue-manager.ts'
import type { SystemClock } from './queues/system-clock.ts'
import type { DataFolder } from './store/data-folder.ts'
import type { Store } from './store/store.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export type AppParts = {
  readonly auth: TokenFile
  readonly clock: SystemClock
  readonly folder: DataFolder
  readonly hosts: Hosts
  readonly hooks: readonly HookPorts[]
  readonly manager: QueueManager
  readonly metrics: Metrics
  readonly store: Store
  readonly watch: ClockWatch
  readonly webhooks: Webhooks
  readonly isReady: () => boolean
  /** The live page; null: the server has none. */
  readonly page: LivePage | null
}

/** Makes the app of a server from its parts. */
export function appOf(
  { stateCase, timeouts }: Pick<AppOptions, 'stateCase' | 'timeouts'>,
  { logger, accessLog = logger }: Pick<AppOptions, 'logger' | 'accessLog'>,
  parts: AppParts,
): RequestListener {
  const { auth, clock, folder, hosts, hooks, manager, metrics, page } = parts
  const { store, watch, webhooks, isReady } = parts
  const warnings = (): string[] => [watch.warning() ?? [], damageIn(store), faultsIn(hosts)].flat()
  const knownPullRequests = (): number =>
    [...manager.registry.queues].reduce((sum, { history }) => sum + history.pullRequests.size, 0)
  const gateParts = { auth, failures: new Failures(), refusals: new Refusals() }
  const metricsOf: AppOptions['metricsOf'] = async (queues, isWhole) => {
    const texts = [await metrics.textOf(queues), await webhooks.metricsOf(queues)]
    if (isWhole) texts.push(await refusalMetrics(gateParts.refusals))
    return texts.join('')
  }
  const figures = new ServerFigures({
    folder: folder.path,
    isReady,
    isSending: () => true,
    isWorking: () => true,
    knownPullRequests,
    clockAheadMs: () => clock.aheadMs(),
  })
  const enter = entranceOf(manager)
  return createApp({
    enter,
    gateParts,
    logger,
    accessLog,
    stateCase,
    ...(timeouts ? { timeouts } : {}),
    hosting: hosts,
    hooks,
    metricsOf,
    isReady,
    warnings,
    ...(page
      ? {
          servePages: (app) =>
            servePages(app, {
              ...page,
              enter,
              auth,
              stateCase,
              hosting: hosts,
              registry: () => manager.registry,
              failures: gateParts.failures,
              now: () => clock.now(),
            }),
        }
      : {}),
    figuresText: () => figures.text(),
    onRequest: figures.onRequest,
  })
}

/** Without paths of the machine: the log and `mergeyard verify` name the files. */
function damageIn({ faults }: Store): string[] {
  const { length } = faults()
  const what = length === 1 ? '1 older file is damaged' : `${length} older files are damaged`
  return length === 0 ? [] : [`${what}: mergeyard verify names what is wrong`]
}

/** Without the words of git, which can name paths. */
export function faultsIn({ all }: Pick<Hosting, 'all'>): string[] {
  return [...all]
    .filter((hosted) => hosted.status().faults.length > 0)
    .map(({ ref }) => `${nameOfQueue(ref)} cannot work: getRepositoryStatus says why`)
}
