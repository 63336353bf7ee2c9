/**
 * One page that watches: a response that never ends by itself. A page that reads too slowly gets no more
 * frames; when it has read what is waiting, it needs a whole again.
 */

import type { ServerResponse } from 'node:http'

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
