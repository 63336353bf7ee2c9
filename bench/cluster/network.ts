/**
 * The network between a server and the database: messages take their time, it can be cut, and it can lose an
 * answer after the work was done.
 */

import type { Message, Endpoint } from '../../server/webhooks/message.ts'
import type { PostResult } from '../../server/webhooks/post.ts'
import { loadMs } from './plan.ts'
import type { SimulatedTime } from './time.ts'

/** A server without an answer for so long takes the connection for broken. */
const patienceMs = 3_000
const slowestMs = 8
const lossRate = 0.004
/** The connection breaks, and nobody knows whether the message arrived. */
const breakRate = 0.004

export type WireParts = {
  readonly time: SimulatedTime
  readonly draw: () => number
  readonly isCut: () => boolean
  /** Calls it as soon as the server is not paused. A server that has crashed never gets it. */
  readonly deliver: (act: () => void) => void
}

export class Wire {
  readonly #link: WireParts

  constructor(link: WireParts) {
    this.#link = link
  }

  /** Sends a message, and settles with its answer. Rejects if none comes. */
  ask<T>(act: (answer: (value: T) => void, refuse: (why: string) => void) => void): Promise<T> {
    const { time, draw, deliver } = this.#link
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => deliver(() => reject(new Error(why)))
      if (draw() < breakRate && time.nowMs < loadMs) {
        if (draw() < 0.5) this.tell(() => act(nobody, nobody))
        time.after(this.#delay(), () => fail('the connection broke'))
        return
      }
      const stop = time.after(patienceMs, () => fail('the database does not answer'))
      const back = (settle: () => void): void => {
        const isLost = draw() < lossRate && time.nowMs < loadMs
        time.after(this.#delay(), () => {
          if (isLost || this.#link.isCut()) return
          stop()
          deliver(settle)
        })
      }
      this.tell(() =>
        act(
          (value) => back(() => resolve(value)),
          (why) => back(() => reject(new Error(why))),
        ),
      )
    })
  }

  /** Sends a message for which nobody waits. */
  tell(act: () => void): void {
    const { time, isCut } = this.#link
    if (isCut()) return
    time.after(this.#delay(), () => {
      if (!isCut()) act()
    })
  }

  #delay(): number {
    return 0.2 + this.#link.draw() ** 4 * slowestMs
  }
}

const nobody = (): void => undefined

// Receivers of webhooks, and the network before them: slow, cut, sometimes without an answer.

export type Arrival = {
  readonly endpoint: string
  readonly id: string
  readonly payload: string
  /** The name of the process that sent it. */
  readonly sender: string
  readonly sentMs: number
  readonly arrivedMs: number
  readonly isAccepted: boolean
}

/** Some messages take very long, so that another server may deliver in the meantime. */
const slowestPostMs = 1_500
const slowRate = 0.02
const usualMs = 30
/** When the faults are over, so that what waits arrives in time. */
const calmMs = 3
const postPatienceMs = 2_000
/** A refused message waits for up to ten seconds, and all must arrive in time. */
const troubleUntilMs = loadMs / 2
const refusalRate = 0.01
const lostAnswerRate = 0.01

export class Receivers {
  readonly arrivals: Arrival[] = []

  /** Posts a message over this wire, as the process of that name. */
  post(
    { time, draw, deliver, isCut }: WireParts,
    sender: string,
    { id: endpoint }: Endpoint,
    { id, payload }: Pick<Message, 'id' | 'payload'>,
  ): Promise<PostResult> {
    const sentMs = time.nowMs
    const mostMs = (): number => {
      if (time.nowMs >= loadMs) return calmMs
      return draw() < slowRate ? slowestPostMs : usualMs
    }
    const delay = (): number => 0.5 + draw() * mostMs()
    const isTrouble = (rate: number): boolean => draw() < rate && time.nowMs < troubleUntilMs
    return new Promise((resolve) => {
      const end = (result: PostResult): void => deliver(() => resolve(result))
      const stop = time.after(postPatienceMs, () => end({ status: null, fault: 'did not answer' }))
      const arrive = (): void => {
        if (isCut()) return
        const isAccepted = !isTrouble(refusalRate)
        const arrivedMs = time.nowMs
        this.arrivals.push({ endpoint, id, payload, sender, sentMs, arrivedMs, isAccepted })
        const status = isAccepted ? 204 : 500
        const isLost = isTrouble(lostAnswerRate)
        time.after(delay(), () => {
          if (isLost || isCut()) return
          stop()
          end({ status, fault: isAccepted ? null : 'answered 500' })
        })
      }
      if (!isCut()) time.after(delay(), arrive)
    })
  }
}
