/**
 * Brings messages to one endpoint: in order per pull request, several at once otherwise, each
 * tried again along the schedule. It shares nothing with the couriers of other endpoints.
 */

import TinyQueue from 'tinyqueue'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import { Lanes } from './lanes.ts'
import type { Letter, OutboxLine } from './outbox-state.ts'
import type { Post } from './post.ts'
import type { Timers } from './timers.ts'

const second: Millis = 1_000
const minute: Millis = 60 * second
const hour: Millis = 60 * minute

/** How long after each failed attempt the next one follows. */
export const retryAfterMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
] as const satisfies readonly Millis[]

/** While all goes well; after a failure one at a time. */
const mostAtOnce = 8

/**
 * So many failures in a row, whichever messages they are of, and the endpoint is left alone for a
 * while, twice as long each time: the dead must not cost those who are alive.
 */
const failuresBeforeRest = 3
const shortestRestMs: Millis = second
const longestRestMs: Millis = minute

export type CourierPorts = {
  readonly post: Post
  readonly timers: Timers
  /** Makes true, and keeps, what became of a letter. */
  readonly note: (line: OutboxLine) => void
  /** A letter is not tried any more. */
  readonly onUndelivered: (letter: Letter) => void
}

type Parcel = { readonly letter: Letter; readonly lanes: readonly string[] }

export class Courier {
  readonly #endpoint: Endpoint
  readonly #ports: CourierPorts
  readonly #lanes = new Lanes<Parcel>()
  readonly #ready: Parcel[] = []
  readonly #waiting = new TinyQueue<Parcel>([], (a, b) => a.letter.notBefore - b.letter.notBefore)
  readonly #end = new AbortController()
  #cancelTimer = (): void => undefined
  #underWay = 0
  #failuresInARow = 0
  #restsUntil: Millis = 0
  #isGone: boolean

  constructor(endpoint: Endpoint, isGone: boolean, ports: CourierPorts) {
    this.#endpoint = endpoint
    this.#isGone = isGone
    this.#ports = ports
  }

  /** Takes a letter on its way, behind those before it. */
  add(letter: Letter): void {
    if (letter.isUndelivered) return
    if (this.#isGone) {
      this.#giveUp(letter, 'the endpoint is gone')
      return
    }
    const parcel = { letter, lanes: letter.message.lanes }
    if (this.#lanes.add(parcel)) this.#hold(parcel)
    this.#go()
  }

  /** Breaks off what is under way; it counts as not tried. */
  stop(): void {
    this.#end.abort()
    this.#cancelTimer()
  }

  /** It may go, as soon as its time has come. */
  #hold(parcel: Parcel): void {
    if (parcel.letter.notBefore <= this.#ports.timers.now()) this.#ready.push(parcel)
    else this.#waiting.push(parcel)
  }

  #go(): void {
    if (this.#end.signal.aborted) return
    const now = this.#ports.timers.now()
    this.#fetchWaiting(now)
    const atOnce = this.#failuresInARow === 0 ? mostAtOnce : 1
    while (this.#underWay < atOnce && now >= this.#restsUntil) {
      const parcel = this.#ready.shift()
      if (!parcel) break
      this.#underWay++
      void this.#deliver(parcel)
    }
    this.#setTimer(now)
  }

  /** Those whose time has come are ready. */
  #fetchWaiting(now: Millis): void {
    for (let next = this.#waiting.peek(); next; next = this.#waiting.peek()) {
      if (next.letter.notBefore > now) return
      this.#waiting.pop()
      this.#ready.push(next)
    }
  }

  /** For the next one that may go by itself, and not because another one has come back. */
  #setTimer(now: Millis): void {
    this.#cancelTimer()
    const isHeldByRest = this.#ready.length > 0 && now < this.#restsUntil
    const due = isHeldByRest ? this.#restsUntil : this.#waiting.peek()?.letter.notBefore
    if (due === undefined) return
    const waitMs = Math.max(due, this.#restsUntil) - now
    this.#cancelTimer = this.#ports.timers.after(waitMs, () => this.#go())
  }

  async #deliver(parcel: Parcel): Promise<void> {
    const { letter } = parcel
    const { signal } = this.#end
    const failed = this.#isGone
      ? { fault: 'the endpoint is gone', isGone: true }
      : await this.#ports.post(this.#endpoint, letter.message, signal)
    if (signal.aborted) return
    this.#underWay--
    this.#failuresInARow = failed ? this.#failuresInARow + 1 : 0
    this.#restsUntil = this.#ports.timers.now() + restMs(this.#failuresInARow)
    if (failed) this.#failed(parcel, failed)
    else this.#delivered(parcel)
    this.#go()
  }

  #delivered(parcel: Parcel): void {
    const { id: message } = parcel.letter.message
    this.#ports.note({ line: 'delivered', endpoint: this.#endpoint.id, message })
    this.#leave(parcel)
  }

  #failed(parcel: Parcel, failed: { readonly fault: string; readonly isGone: boolean }): void {
    const { letter } = parcel
    const { fault, isGone } = failed
    const endpoint = this.#endpoint.id
    if (isGone && !this.#isGone) {
      this.#isGone = true
      this.#ports.note({ line: 'gone', endpoint })
    }
    const waitMs = retryAfterMs[letter.attempts]
    if (isGone || waitMs === undefined) {
      this.#giveUp(letter, fault)
      this.#leave(parcel)
      return
    }
    const attempts = letter.attempts + 1
    const notBefore = this.#ports.timers.now() + waitMs
    const { id: message } = letter.message
    this.#ports.note({ line: 'failed', endpoint, message, attempts, notBefore, fault })
    this.#waiting.push(parcel)
  }

  #giveUp(letter: Letter, fault: string): void {
    const { id: message } = letter.message
    this.#ports.note({ line: 'undelivered', endpoint: this.#endpoint.id, message, fault })
    this.#ports.onUndelivered(letter)
  }

  #leave(parcel: Parcel): void {
    for (const next of this.#lanes.remove(parcel)) this.#hold(next)
  }
}

function restMs(failuresInARow: number): Millis {
  const rests = failuresInARow - failuresBeforeRest
  return rests < 0 ? 0 : Math.min(longestRestMs, shortestRestMs * 2 ** rests)
}
