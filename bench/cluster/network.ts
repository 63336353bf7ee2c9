/**
 * The network: messages take their time, it can be cut, and it can lose an answer after the work was done.
 */

import type { Message, Endpoint } from '../../server/webhooks/message.ts'
import type { PostResult } from '../../server/webhooks/post.ts'
import { loadMs } from './plan.ts'
import type { SimulatedTime } from './time.ts'

/** Who asks. */
export type Link = {
  readonly time: SimulatedTime
  readonly draw: () => number
  readonly isCut: () => boolean
  /** Calls it as soon as who asks is not paused. Who has crashed never gets it. */
  readonly deliver: (act: () => void) => void
}

/** How messages to somebody fare. */
export type Habits = {
  readonly delayMs: (link: Link) => number
  /** Without an answer for so long the connection counts as broken. */
  readonly patienceMs: number
  /** How often the connection breaks, and nobody knows whether the message arrived. */
  readonly breakRate: number
  /** How often an answer is lost. */
  readonly lossRate: number
  /** From then on nothing breaks and nothing is lost. */
  readonly calmFromMs: number
}

export class Wire {
  readonly #link: Link
  readonly #habits: Habits

  constructor(link: Link, habits: Habits) {
    this.#link = link
    this.#habits = habits
  }

  /** Sends a message, and settles with its answer. Rejects if none comes. */
  ask<T>(act: (answer: (value: T) => void, refuse: (why: string) => void) => void): Promise<T> {
    const { time, draw, deliver, isCut } = this.#link
    const { breakRate, lossRate, patienceMs } = this.#habits
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => deliver(() => reject(new Error(why)))
      if (this.#happens(breakRate)) {
        if (draw() < 0.5) this.tell(() => act(nobody, nobody))
        time.after(this.#delayMs(), () => fail('the connection broke'))
        return
      }
      const stop = time.after(patienceMs, () => fail('nobody answers'))
      const back = (settle: () => void): void => {
        const isLost = this.#happens(lossRate)
        time.after(this.#delayMs(), () => {
          if (isLost || isCut()) return
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
    time.after(this.#delayMs(), () => {
      if (!isCut()) act()
    })
  }

  #happens(rate: number): boolean {
    return this.#link.draw() < rate && this.#link.time.nowMs < this.#habits.calmFromMs
  }

  #delayMs(): number {
    return this.#habits.delayMs(this.#link)
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
const refusalRate = 0.01

const posts: Habits = {
  delayMs: ({ time, draw }) => {
    const isSlow = draw() < slowRate
    const mostMs = time.nowMs >= loadMs ? calmMs : isSlow ? slowestPostMs : usualMs
    return 0.5 + draw() * mostMs
  },
  patienceMs: 2_000,
  breakRate: 0,
  lossRate: 0.01,
  // A refused message waits for up to ten seconds, and all must arrive in time.
  calmFromMs: loadMs / 2,
}

export class Receivers {
  readonly arrivals: Arrival[] = []

  /** Posts a message as the process of that name. */
  post(
    link: Link,
    sender: string,
    { id: endpoint }: Endpoint,
    { id, payload }: Pick<Message, 'id' | 'payload'>,
  ): Promise<PostResult> {
    const { time, draw } = link
    const sentMs = time.nowMs
    const posted = new Wire(link, posts).ask<PostResult>((answer) => {
      const arrivedMs = time.nowMs
      const isAccepted = draw() >= refusalRate || arrivedMs >= posts.calmFromMs
      this.arrivals.push({ endpoint, id, payload, sender, sentMs, arrivedMs, isAccepted })
      answer(isAccepted ? { status: 204, fault: null } : { status: 500, fault: 'answered 500' })
    })
    return posted.catch(() => ({ status: null, fault: 'did not answer' }))
  }
}
