/**
 * The network between a server and the database: messages take their time, it can be cut, and it can lose an
 * answer after the work was done.
 */

import { loadMs } from './plan.ts'
import type { SimulatedTime } from './time.ts'

/** Whoever has heard nothing for so long takes the connection for broken. */
const patienceMs = 3_000
const slowestMs = 8
const lossRate = 0.004
/** The connection breaks, and nobody knows whether the message was heard. */
const breakRate = 0.004

export type WireParts = {
  readonly time: SimulatedTime
  readonly draw: () => number
  readonly isCut: () => boolean
  /** Calls it as soon as the server is not paused. A server that has crashed never hears it. */
  readonly hear: (act: () => void) => void
}

export class Wire {
  readonly #link: WireParts

  constructor(link: WireParts) {
    this.#link = link
  }

  /** Sends a message, and settles with its answer. Rejects if none comes. */
  ask<T>(act: (answer: (value: T) => void, refuse: (why: string) => void) => void): Promise<T> {
    const { time, draw, hear } = this.#link
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => hear(() => reject(new Error(why)))
      if (draw() < breakRate && time.nowMs < loadMs) {
        if (draw() < 0.5) this.tell(() => act(nobody, nobody))
        time.after(this.#delay(), () => fail('the connection broke'))
        return
      }
      const stop = time.after(patienceMs, () => fail('the database does not answer'))
      const back = (deliver: () => void): void => {
        const isLost = draw() < lossRate && time.nowMs < loadMs
        time.after(this.#delay(), () => {
          if (isLost || this.#link.isCut()) return
          stop()
          hear(deliver)
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
