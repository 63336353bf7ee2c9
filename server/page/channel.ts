/**
 * The stream of one queue for one audience. Each frame is made and encoded once, whoever watches.
 *
 * What is shown must be on disk: a frame is made of the state at once, and sent when that state is
 * durable. All sending goes through one chain, so a watcher never gets a frame before its whole.
 */

import { randomBytes } from 'node:crypto'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Durable } from '../queues/publisher.ts'
import type { Audience } from './audience.ts'
import { changeText, eventText, wholeText } from './encode.ts'
import { endedSince, mostEnded, pictureOf, type Picture, type PictureParts } from './picture.ts'
import { Ring } from './ring.ts'
import type { Watcher } from './watcher.ts'

export type ChannelPorts = {
  readonly audience: Audience
  /** Null: the queue is gone. */
  readonly queue: () => ManagedQueue | null
  readonly partsOf: (queue: ManagedQueue) => PictureParts
  readonly sequence: () => number
  readonly now: () => number
  readonly durable: Durable
}

export class Channel {
  /** The name of the queue. */
  readonly queue: string
  readonly #ports: ChannelPorts
  readonly #watchers = new Set<Watcher>()
  /** Frames of another channel, also of one before a restart, mean something else. */
  readonly #incarnation = randomBytes(6).toString('hex')
  readonly #ring = new Ring()
  #picture: Picture | null = null
  #frames = 0
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
    const { queue: find, partsOf, audience } = this.#ports
    const queue = find()
    if (!queue) return this.#dismiss()
    const before = this.#picture
    const after = pictureOf(queue, partsOf(queue), audience)
    this.#picture = after
    if (!before) return
    const ended = endedSince(queue, before.conclusions, audience)
    const frame = changeText(before, after, { ended, ...this.#moment() })
    if (frame === null) return
    const id = ++this.#frames
    const bytes = Buffer.from(eventText(this.#idOf(id), frame))
    this.#whenDurable(() => {
      this.#ring.add(id, bytes)
      for (const watcher of this.#watchers) watcher.send(bytes)
    })
  }

  /** Adds a watcher, and sends what it has missed after this event, or the whole. */
  join(watcher: Watcher, after: string | null): void {
    this.#joined++
    this.refresh()
    const missed = this.#readId(after)
    const whole = this.#whole()
    const last = this.#frames
    this.#whenDurable(() => {
      const frames = missed === null ? null : this.#ring.after(missed, last)
      for (const bytes of frames ?? [whole]) watcher.send(bytes)
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
    const frame = wholeText(this.#picture, ended, this.#moment())
    return Buffer.from(eventText(this.#idOf(this.#frames), frame))
  }

  #moment() {
    const { sequence, now } = this.#ports
    return { sequence: sequence(), now: new Date(now()).toISOString() }
  }

  #idOf(frame: number): string {
    return `${this.#incarnation}-${frame}`
  }

  #readId(after: string | null): number | null {
    const [, incarnation, frame] = /^(\w+)-(\d{1,15})$/.exec(after ?? '') ?? []
    return incarnation === this.#incarnation ? Number(frame) : null
  }

  #whenDurable(send: () => void): void {
    const durable = this.#ports.durable()
    this.#tail = this.#tail
      .then(() => durable)
      // What cannot be written is never shown; the server stops.
      .then(send, () => undefined)
  }
}
