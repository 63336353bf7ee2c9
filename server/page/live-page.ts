/** The live page of a server: who watches, and who is signed in. */

import { Forecaster, type ForecasterParts } from '../forecast/forecaster.ts'
import { Feed, mostWatchers, type FeedParts } from './feed.ts'
import { Sessions, type KeptSessions, type KnownTokens } from './sessions.ts'
import type { Auth } from '../auth/tokens.ts'
import type { Failures } from '../auth/gate.ts'
import type { ServerContext } from '../operations/serve.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { pageAddress } from '../identity/ids.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { PageOf } from '../webhooks/message.ts'

export type PageOptions = {
  readonly pages: Pages
  /** Everybody sees the queues, without what is for members. Default: false. */
  readonly publicPage?: boolean
  /** The address at which people reach the server; with https, cookies are for https only. */
  readonly publicUrl?: string
  /** So many pages may watch. Default: 1,000. */
  readonly watchers?: number
  /** In a demo an hour passes in seconds, so forecasts are due more often. */
  readonly isDemo?: boolean
}

/** The share of one core that forecasts may take. */
const shares = { live: 0.1, demo: 0.5 } as const

export type LivePage = {
  /** Ends all streams and forecasts: a stop does not wait for those who watch. */
  readonly end: () => Promise<void>
  readonly pages: Pages
  readonly feed: Feed
  readonly sessions: Sessions
  readonly publicPage: boolean
  readonly publicHost: string
  readonly isSecure: boolean
}

export type LivePageParts = FeedParts &
  Pick<ForecasterParts, 'logger'> & {
    readonly kept: KeptSessions
    readonly auth: KnownTokens
  }

export function openLivePage(
  {
    pages,
    publicPage = false,
    publicUrl = '',
    watchers = mostWatchers,
    isDemo = false,
  }: PageOptions,
  { kept, auth, logger, ...parts }: LivePageParts,
): LivePage {
  const sessions = new Sessions(kept, auth)
  const forecaster = new Forecaster({
    ...{ logger, manager: parts.manager, now: parts.now },
    share: isDemo ? shares.demo : shares.live,
    watched: () => feed.watched,
    onForecast: (queue) => feed.changed(queue),
  })
  const feed = new Feed({
    ...parts,
    watchers,
    estimateOf: (queue, number) => forecaster.estimateOf(queue, number),
  })
  const publicHost = publicUrl === '' ? '' : new URL(publicUrl).host
  const isSecure = publicUrl.startsWith('https:')
  const end = (): Promise<void> => {
    feed.close()
    return forecaster.close()
  }
  return { end, pages, feed, sessions, publicPage, publicHost, isSecure }
}

// What the routes of the page need of the server.

/** The folders of the built pages. */
type Pages = { readonly live: string; readonly play: string }

export type PageParts = ServerContext & {
  readonly pages: Pages
  readonly feed: Feed
  readonly sessions: Sessions
  /** Looked up at each request, because a shared log can be replaced. */
  readonly registry: () => QueueRegistry
  readonly auth: Auth
  readonly failures: Failures
  readonly now: () => number
  /** True: everybody sees the queues, without what is for members. */
  readonly publicPage: boolean
  /** The host of the address at which people reach the server; empty if nobody told it. */
  readonly publicHost: string
  /** True: people reach the server over https only. */
  readonly isSecure: boolean
}

// Links from messages to the live page.

/** Null for all, if there is no page or nobody has told its address. */
export function pagesOf(
  page: Pick<PageOptions, 'publicUrl'> | null,
  registry: Pick<QueueRegistry, 'find'>,
): PageOf {
  const { publicUrl = '' } = page ?? {}
  if (publicUrl === '') return () => null
  return (ref, number) => {
    const queue = registry.find(nameOfQueue(ref))
    return queue ? pageAddress(publicUrl, queue.ids, number) : null
  }
}
