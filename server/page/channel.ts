/**
 * The stream of one queue for one audience. Each frame is made and encoded once, whoever watches.
 *
 * What is shown must be on disk: a frame is made of the state at once, and sent when that state is
 * durable. All sending goes through one chain, so a watcher never gets a frame before its whole.
 */

import { randomBytes } from 'node:crypto'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Durable } from '../queues/publisher.ts'
import type { EndedRow } from './frame.ts'
import { type Picture, type PictureParts, endedSince, mostEnded, pictureOf } from './picture.ts'
import type { Audience } from './public-view.ts'
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

function eventText(id: string, frame: string): string {
  return `event: frame\nid: ${id}\ndata: ${frame}\n\n`
}

const mostFrames = 1_000
const mostBytes = 1 << 20

type Kept = { readonly id: number; readonly bytes: Buffer }

/** The last frames of a stream, so that a page which was away for a moment gets only what it missed. */
class Ring {
  readonly #frames: Kept[] = []
  #bytes = 0
  /** A page that has seen this frame, or a later one, has missed nothing that is not kept. */
  #from = 0

  /** Frames are numbered from 1. */
  add(id: number, bytes: Buffer): void {
    this.#frames.push({ id, bytes })
    this.#bytes += bytes.length
    while (this.#frames.length > mostFrames || this.#bytes > mostBytes) {
      const oldest = this.#frames.shift()
      if (!oldest) return
      this.#bytes -= oldest.bytes.length
      this.#from = oldest.id
    }
  }

  /** The frames after this one; null if some of them are not kept, or it is of the future. */
  after(id: number, last: number): readonly Buffer[] | null {
    if (id < this.#from || id > last) return null
    return this.#frames.filter((frame) => frame.id > id).map(({ bytes }) => bytes)
  }
}
