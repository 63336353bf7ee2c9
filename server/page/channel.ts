/**
 * The stream of one queue for one audience. Each frame is made and encoded once for all viewers.
 *
 * What is shown must be on disk: a frame is made of the state at once, and sent when that state is
 * durable. All sending goes through one chain, so a watcher never gets a frame before its whole.
 */

import type { ServerResponse } from 'node:http'
import type { QueueManager } from '../queues/queue-manager.ts'
import { type Picture, pictureOf } from './picture.ts'
import type { Audience, ViewParts } from './view.ts'

type ChannelParts = {
  readonly manager: Pick<QueueManager, 'registry' | 'durable'>
  readonly views: ViewParts
  readonly now: () => number
}

export class Channel {
  /** The name of the queue. */
  readonly queue: string
  readonly #audience: Audience
  readonly #parts: ChannelParts
  readonly #watchers = new Set<Watcher>()
  #picture: Picture | null = null
  #joined = 0
  #tail: Promise<void> = Promise.resolve()

  constructor(queue: string, audience: Audience, parts: ChannelParts) {
    this.queue = queue
    this.#audience = audience
    this.#parts = parts
  }

  get isWatched(): boolean {
    return this.#joined > 0
  }

  /** Sends what has changed since the last frame to all watchers. */
  refresh(): void {
    const { manager, views } = this.#parts
    const queue = manager.registry.findRunning(this.queue)
    if (!queue) return this.#toAll((watcher) => watcher.cut())
    const before = this.#picture
    this.#picture = pictureOf(queue, views, this.#audience)
    const frame = before && frameText(before, this.#picture, this.#moment())
    if (frame === null) return
    const bytes = eventOf(frame)
    this.#toAll((watcher) => watcher.send(bytes))
  }

  /** Adds a watcher, and sends it the whole. */
  join(watcher: Watcher): void {
    this.#joined++
    this.catchUp(watcher)
    this.#whenDurable(() => void this.#watchers.add(watcher))
  }

  /** Sends the whole, also to one who could not follow. */
  catchUp(watcher: Watcher): void {
    this.refresh()
    const frame = this.#picture && frameText(null, this.#picture, this.#moment())
    if (frame === null) return
    const bytes = eventOf(frame)
    this.#whenDurable(() => watcher.sendWhole(bytes))
  }

  leave(watcher: Watcher): void {
    this.#joined--
    // It may not have been added yet.
    this.#whenDurable(() => void this.#watchers.delete(watcher))
  }

  #moment() {
    const { manager, now } = this.#parts
    return { sequence: manager.registry.sequence, now: new Date(now()).toISOString() }
  }

  #toAll(send: (watcher: Watcher) => void): void {
    this.#whenDurable(() => {
      for (const watcher of this.#watchers) send(watcher)
    })
  }

  #whenDurable(send: () => void): void {
    const durable = this.#parts.manager.durable()
    this.#tail = this.#tail
      .then(() => durable)
      // What cannot be written is never shown; the server stops.
      .then(send, () => undefined)
  }
}

// Frames as text for the stream, made of the parts of pictures, which are JSON already.

const nothing: Picture = { queue: '', line: '', waiting: '', rows: new Map() }

/** A whole is the difference from nothing, given as null. Null if nothing that is shown has changed. */
export function frameText(
  from: Picture | null,
  to: Picture,
  { sequence, now }: { readonly sequence: number; readonly now: string },
): string | null {
  const before = from ?? nothing
  const parts = (['queue', 'line', 'waiting'] as const)
    .filter((name) => before[name] !== to[name])
    .map((name) => `"${name}":${to[name]}`)
  const rows = [...to.rows].filter(([number, row]) => before.rows.get(number) !== row)
  const gone = [...before.rows.keys()].filter((number) => !to.rows.has(number))
  if (parts.length + rows.length + gone.length === 0) return null
  const fields = [
    `"kind":"${from ? 'change' : 'whole'}","sequence":${sequence},"now":${JSON.stringify(now)}`,
    ...parts,
    `"rows":[${rows.map(([, row]) => row).join(',')}]`,
    `"gone":${JSON.stringify(gone)}`,
  ]
  return `{${fields.join(',')}}`
}

/** An event of the stream: a frame, or the closing event. */
export function eventOf(data: string): Buffer {
  return Buffer.from(`data: ${data}\n\n`)
}

// One page that watches: a response that never ends by itself. A page that reads too slowly gets no more
// frames; when it has read what is waiting, it needs a whole again.

/** More than this waits for no reader. */
const mostWaitingBytes = 256 * 1024
/** A reader that takes longer than this is cut off. It comes back by itself. */
const patienceMs = 10_000

export type WatcherEvents = {
  /** It has read everything, after it was too slow. */
  readonly onCaughtUp: () => void
  readonly onClose: () => void
}

export class Watcher {
  readonly #response: ServerResponse
  readonly #events: WatcherEvents
  #isBehind = false
  #patience: NodeJS.Timeout | null = null

  constructor(response: ServerResponse, events: WatcherEvents) {
    this.#response = response
    this.#events = events
    response.on('close', () => {
      if (this.#patience) clearTimeout(this.#patience)
      events.onClose()
    })
  }

  /** Sends an event or a comment, unless the reader is too far behind. */
  send(bytes: Buffer): void {
    if (!this.#isBehind) this.#write(bytes)
  }

  /** Sends a whole: from then on the reader gets everything again. */
  sendWhole(bytes: Buffer): void {
    this.#isBehind = false
    this.#write(bytes)
  }

  #write(bytes: Buffer): void {
    const response = this.#response
    if (response.destroyed) return
    if (response.write(bytes) || response.writableLength <= mostWaitingBytes) return
    this.#isBehind = true
    this.#patience = setTimeout(() => response.destroy(), patienceMs).unref()
    response.once('drain', () => {
      if (this.#patience) clearTimeout(this.#patience)
      // It stays behind until the whole comes: no change may reach it before.
      this.#events.onCaughtUp()
    })
  }

  /** Sends the closing event. Nobody waits for a reader that does not read. */
  end(bytes: Buffer): void {
    if (this.#isBehind) this.cut()
    else this.#response.end(bytes)
  }

  /** Ends the response without another event: the reader may not watch any more. */
  cut(): void {
    this.#response.destroy()
  }
}
