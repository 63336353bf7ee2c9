/**
 * The stream of one queue for one audience. Each frame is made and encoded once, whoever watches.
 *
 * What is shown must be on disk: a frame is made of the state at once, and sent when that state is
 * durable. All sending goes through one chain, so a watcher never gets a frame before its whole.
 */

import type { ServerResponse } from 'node:http'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Durable } from '../queues/publisher.ts'
import type { EndedRow } from './frame.ts'
import { type Picture, type PictureParts, endedSince, mostEnded, pictureOf } from './picture.ts'
import type { Audience } from './view.ts'

export type ChannelPorts = {
  readonly audience: Audience
  /** Null: the queue is gone. */
  readonly queue: () => ManagedQueue | null
  readonly parts: PictureParts
  readonly sequence: () => number
  readonly now: () => number
  readonly durable: Durable
}

export class Channel {
  /** The name of the queue. */
  readonly queue: string
  readonly #ports: ChannelPorts
  readonly #watchers = new Set<Watcher>()
  #picture: Picture | null = null
  #joined = 0
  #tail: Promise<void> = Promise.resolve()

  constructor(queue: string, ports: ChannelPorts) {
    this.queue = queue
    this.#ports = ports
  }

  get isWatched(): boolean {
    return this.#joined > 0
  }

  /** Sends what has changed since the last frame to all watchers. */
  refresh(): void {
    const { queue: find, parts, audience } = this.#ports
    const queue = find()
    if (!queue) return this.#dismiss()
    const before = this.#picture
    const after = pictureOf(queue, parts, audience)
    this.#picture = after
    if (!before) return
    const ended = endedSince(queue, before.conclusions, audience)
    const frame = changeText(before, after, { ended, ...this.#moment() })
    if (frame === null) return
    const bytes = eventOf(frame)
    this.#whenDurable(() => this.sendAll(bytes))
  }

  /** Adds a watcher, and sends it the whole. */
  join(watcher: Watcher): void {
    this.#joined++
    this.refresh()
    const whole = this.#whole()
    this.#whenDurable(() => {
      watcher.send(whole)
      this.#watchers.add(watcher)
    })
  }

  /** Sends the whole to one who could not follow. */
  catchUp(watcher: Watcher): void {
    this.refresh()
    const whole = this.#whole()
    this.#whenDurable(() => watcher.sendWhole(whole))
  }

  leave(watcher: Watcher): void {
    this.#joined--
    // It may not have been added yet.
    this.#whenDurable(() => void this.#watchers.delete(watcher))
  }

  sendAll(bytes: Buffer): void {
    for (const watcher of this.#watchers) watcher.send(bytes)
  }

  #dismiss(): void {
    this.#whenDurable(() => {
      for (const watcher of this.#watchers) watcher.cut()
    })
  }

  #whole(): Buffer {
    const { queue: find, audience } = this.#ports
    const queue = find()
    if (!queue || !this.#picture) return Buffer.alloc(0)
    const { end } = queue.history.conclusions
    const ended = endedSince(queue, Math.max(0, end - mostEnded), audience)
    return eventOf(wholeText(this.#picture, ended, this.#moment()))
  }

  #moment() {
    const { sequence, now } = this.#ports
    return { sequence: sequence(), now: new Date(now()).toISOString() }
  }

  #whenDurable(send: () => void): void {
    const durable = this.#ports.durable()
    this.#tail = this.#tail
      .then(() => durable)
      // What cannot be written is never shown; the server stops.
      .then(send, () => undefined)
  }
}

// Frames as text for the stream, made of the parts of pictures, which are JSON already.

type FrameAt = { readonly sequence: number; readonly now: string }

export function wholeText(
  { queue, line, waiting, rows }: Picture,
  ended: readonly EndedRow[],
  at: FrameAt,
): string {
  const head = `"kind":"whole","sequence":${at.sequence},"now":${JSON.stringify(at.now)}`
  const list = [...rows.values()].join(',')
  return `{${head},"queue":${queue},"rows":[${list}],"line":${line},"waiting":${waiting},"ended":${JSON.stringify(ended)}}`
}

/** Null if nothing that is shown has changed. */
export function changeText(
  before: Picture,
  after: Picture,
  { ended, ...at }: FrameAt & { readonly ended: readonly EndedRow[] },
): string | null {
  const parts = (['queue', 'line', 'waiting'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => `"${name}":${after[name]}`)
  const rows = [...after.rows].filter(([number, row]) => before.rows.get(number) !== row)
  const gone = [...before.rows.keys()].filter((number) => !after.rows.has(number))
  if (parts.length + rows.length + gone.length + ended.length === 0) return null
  const fields = [
    `"kind":"change","sequence":${at.sequence},"now":${JSON.stringify(at.now)}`,
    ...parts,
    `"rows":[${rows.map(([, row]) => row).join(',')}]`,
    `"gone":${JSON.stringify(gone)}`,
    `"ended":${JSON.stringify(ended)}`,
  ]
  return `{${fields.join(',')}}`
}

function eventOf(frame: string): Buffer {
  return Buffer.from(`event: frame\ndata: ${frame}\n\n`)
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

  /** Says the last words. Nobody waits for a reader that does not read. */
  end(bytes: Buffer): void {
    if (this.#isBehind) this.cut()
    else this.#response.end(bytes)
  }

  /** Nobody may read on, and nothing more is said. */
  cut(): void {
    this.#response.destroy()
  }
}
