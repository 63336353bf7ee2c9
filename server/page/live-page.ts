/** The live page of a server: who watches, and who is signed in. */

import type { ServerResponse } from 'node:http'
import { Forecaster, type ForecasterParts } from '../forecast/forecaster.ts'
import { Sessions, type KeptSessions, type KnownTokens } from './sessions.ts'
import type { Auth } from '../auth/tokens.ts'
import type { Failures } from '../auth/gate.ts'
import type { ServerContext } from '../operations/serve.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { pageAddress } from '../identity/ids.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { PageOf } from '../webhooks/message.ts'
import type { Hosting } from '../hosting/hosting.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { Channel, Watcher, eventOf } from './channel.ts'
import { type Audience, StateChanges, type ViewParts } from './view.ts'

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
  /** True: everybody sees the queues, without what is for members. */
  readonly publicPage: boolean
  /** The host of the address at which people reach the server; empty if nobody told it. */
  readonly publicHost: string
  /** True: people reach the server over https only. */
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
    logger,
    manager: parts.manager,
    now: parts.now,
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

/** The folders of the built pages. */
type Pages = { readonly live: string; readonly play: string }

/** What the routes of the page need of the server. */
export type PageParts = ServerContext &
  Omit<LivePage, 'end'> & {
    /** Looked up at each request, because a shared log can be replaced. */
    readonly registry: () => QueueRegistry
    readonly auth: Auth
    readonly failures: Failures
    readonly now: () => number
  }

// Links from messages to the live page.

/** Null for all, if there is no page or nobody has told its address. */
export function pagesOf(
  page: Pick<PageOptions, 'publicUrl'> | null,
  registry: Pick<QueueRegistry, 'findAny'>,
): PageOf {
  const { publicUrl = '' } = page ?? {}
  if (publicUrl === '') return () => null
  return (ref, number) => {
    const queue = registry.findAny(nameOfQueue(ref))
    return queue ? pageAddress(publicUrl, queue.ids, number) : null
  }
}

// The streams of the live page. Commands only mark their queue; ten times a second at most, what has
// changed is sent to those who watch. A queue that nobody watches costs nothing.

const gatherMs = 100
const commentMs = 15_000
const reviewMs = 500
const mostWatchers = 1_000
const mostPerVisitor = 20

const comment = Buffer.from(': alive\n\n')
const bye = eventOf('bye')

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies must not gather what is sent.
  'X-Accel-Buffering': 'no',
}

export type FeedParts = {
  readonly manager: Pick<QueueManager, 'registry' | 'durable' | 'subscribe'>
  readonly hosting: Hosting
  readonly now: () => number
}

type FeedSettings = Pick<ViewParts, 'estimateOf'> & Required<Pick<PageOptions, 'watchers'>>

type Watching = {
  /** Who is signed in; empty for the public view. */
  readonly visitor: string
  /** Asked again and again: a session can end. */
  readonly isAllowed: () => boolean
}

class Feed {
  readonly #parts: FeedParts & FeedSettings
  readonly #channels = new Map<string, Channel>()
  readonly #changes = new StateChanges()
  readonly #dirty = new Set<string>()
  readonly #watchers = new Map<Watcher, Watching>()
  readonly #comments: NodeJS.Timeout
  readonly #reviews: NodeJS.Timeout
  #flush: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(parts: FeedParts & FeedSettings) {
    this.#parts = parts
    parts.manager.subscribe((applied) => this.#follow(applied))
    this.#comments = setInterval(() => this.#comment(), commentMs).unref()
    this.#reviews = setInterval(() => this.#review(), reviewMs).unref()
  }

  /** Why no more pages, or no more of this visitor, can watch; null if another one can. */
  whyFullFor(visitor: string): string | null {
    const { watchers } = this.#parts
    if (this.#isClosed) return 'the server is stopping'
    if (this.#watchers.size >= watchers) {
      return `${watchers} pages watch this server, and it takes no more; an operator can raise --watchers`
    }
    const theirs = [...this.#watchers.values()].filter((each) => each.visitor === visitor)
    if (visitor === '' || theirs.length < mostPerVisitor) return null
    return `${mostPerVisitor} pages watch with this sign-in, and it takes no more; close some of them`
  }

  /** What the views of queues need beside their state. */
  get parts(): ViewParts {
    const { hosting, estimateOf } = this.#parts
    return { changes: this.#changes, hosting, estimateOf }
  }

  /** Streams a queue until the response closes, or `isAllowed` is false. */
  watch(
    response: ServerResponse,
    { name }: ManagedQueue,
    as: Watching & { readonly audience: Audience },
  ): void {
    response.writeHead(200, headers)
    response.socket?.setNoDelay(true)
    const channel = this.#channelOf(name, as.audience)
    const watcher: Watcher = new Watcher(response, {
      onCaughtUp: () => channel.catchUp(watcher),
      onClose: () => {
        channel.leave(watcher)
        this.#watchers.delete(watcher)
      },
    })
    this.#watchers.set(watcher, as)
    channel.join(watcher)
  }

  /** The names of the queues that somebody watches. */
  get watched(): ReadonlySet<string> {
    const watched = [...this.#channels.values()].filter(({ isWatched }) => isWatched)
    return new Set(watched.map(({ queue }) => queue))
  }

  /** Something that no command tells has changed, for example an estimate. */
  changed(queue: string): void {
    this.#dirty.add(queue)
    this.#flush ??= setTimeout(() => this.#send(), gatherMs).unref()
  }

  /** Cuts those who may not watch any more. */
  #review(): void {
    for (const [watcher, { isAllowed }] of this.#watchers) if (!isAllowed()) watcher.cut()
  }

  /** The queues are not what they were: all viewers begin anew. */
  reset(): void {
    this.#channels.clear()
    for (const watcher of this.#watchers.keys()) watcher.cut()
  }

  /** Sends the closing event to all watchers: a stop does not wait for them. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#comments)
    clearInterval(this.#reviews)
    if (this.#flush) clearTimeout(this.#flush)
    for (const watcher of this.#watchers.keys()) watcher.end(bye)
  }

  #follow(applied: AppliedCommand): void {
    this.#changes.onCommand(applied)
    if (!applied.queue) return
    this.changed(nameOfQueue(applied.queue))
  }

  #send(): void {
    this.#flush = null
    for (const name of this.#dirty) {
      for (const audience of ['member', 'public'] as const) {
        const channel = this.#channels.get(`${audience} ${name}`)
        if (channel?.isWatched === true) channel.refresh()
        // Nobody keeps its picture up to date; the next watcher gets a whole.
        else this.#channels.delete(`${audience} ${name}`)
      }
    }
    this.#dirty.clear()
  }

  #comment(): void {
    for (const watcher of this.#watchers.keys()) watcher.send(comment)
  }

  #channelOf(name: string, audience: Audience): Channel {
    const key = `${audience} ${name}`
    const known = this.#channels.get(key)
    if (known) return known
    const channel = new Channel(name, audience, { ...this.#parts, views: this.parts })
    this.#channels.set(key, channel)
    return channel
  }
}
