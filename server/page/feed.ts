/**
 * The streams of the live page. Commands only mark their queue; ten times a second at most, what has
 * changed is sent to those who watch. A queue that nobody watches costs nothing.
 */

import type { ServerResponse } from 'node:http'
import type { Hosting } from '../hosting/hosting.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { AppliedCommand, QueueManager } from '../queues/queue-manager.ts'
import { Channel, Watcher } from './channel.ts'
import type { PictureParts } from './picture.ts'
import { type Audience, StateChanges, type EstimateOf } from './view.ts'

const gatherMs = 100
const commentMs = 15_000
const reviewMs = 500
export const mostWatchers = 1_000
const mostPerVisitor = 20

const comment = Buffer.from(': alive\n\n')
const bye = Buffer.from('event: bye\ndata: stopping\n\n')

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
  readonly estimateOf?: EstimateOf
  /** So many pages may watch. */
  readonly watchers?: number
}

type Watching = {
  /** Who is signed in; empty for the public view. */
  readonly visitor: string
  /** Asked again and again: a session can end. */
  readonly isAllowed: () => boolean
}

export class Feed {
  readonly #parts: FeedParts
  readonly #channels = new Map<string, Channel>()
  readonly #changes = new StateChanges()
  readonly #dirty = new Set<string>()
  readonly #watchers = new Map<Watcher, Watching>()
  readonly #comments: NodeJS.Timeout
  readonly #reviews: NodeJS.Timeout
  #flush: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(parts: FeedParts) {
    this.#parts = parts
    parts.manager.subscribe((applied) => this.#follow(applied))
    this.#comments = setInterval(() => this.#comment(), commentMs).unref()
    this.#reviews = setInterval(() => this.#review(), reviewMs).unref()
  }

  /** Why no more pages, or no more of this visitor, can watch; null if another one can. */
  whyFullFor(visitor: string): string | null {
    const { watchers = mostWatchers } = this.#parts
    if (this.#isClosed) return 'the server is stopping'
    if (this.#watchers.size >= watchers) {
      return `${watchers} pages watch this server, and it takes no more; an operator can raise --watchers`
    }
    const theirs = [...this.#watchers.values()].filter((each) => each.visitor === visitor)
    if (visitor === '' || theirs.length < mostPerVisitor) return null
    return `${mostPerVisitor} pages watch with this sign-in, and it takes no more; close some of them`
  }

  /** What the views of queues need beside their state. */
  get parts(): PictureParts {
    const { hosting, estimateOf = () => null } = this.#parts
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
    watcher.send(Buffer.from('retry: 1000\n\n'))
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

  /** The queues are not what they were: whoever watches begins anew. */
  reset(): void {
    this.#channels.clear()
    for (const watcher of this.#watchers.keys()) watcher.cut()
  }

  /** Says goodbye to all watchers: a stop does not wait for them. */
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
        // Its picture grows old; the next watcher begins anew.
        else this.#channels.delete(`${audience} ${name}`)
      }
    }
    this.#dirty.clear()
  }

  #comment(): void {
    for (const channel of this.#channels.values()) channel.sendAll(comment)
  }

  #channelOf(name: string, audience: Audience): Channel {
    const key = `${audience} ${name}`
    const known = this.#channels.get(key)
    if (known) return known
    const { manager, now } = this.#parts
    const channel = new Channel(name, {
      audience,
      queue: () => manager.registry.find(name) ?? null,
      parts: this.parts,
      sequence: () => manager.registry.sequence,
      now,
      durable: () => manager.durable(),
    })
    this.#channels.set(key, channel)
    return channel
  }
}
