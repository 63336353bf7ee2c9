/** Receivers of webhooks, and the network before them: slow, cut, sometimes without an answer. */

import type { Endpoint, Message } from '../../server/webhooks/message.ts'
import type { PostResult } from '../../server/webhooks/post.ts'
import { loadMs } from './plan.ts'
import type { WireParts } from './wire.ts'

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
const slowestMs = 1_500
const slowRate = 0.02
const usualMs = 30
/** When the faults are over, so that what waits arrives in time. */
const calmMs = 3
const patienceMs = 2_000
/** A refused message waits for up to ten seconds, and all must arrive in time. */
const troubleUntilMs = loadMs / 2
const refusalRate = 0.01
const lossRate = 0.01

export class Receivers {
  readonly arrivals: Arrival[] = []

  /** Posts a message over this wire, as the process of that name. */
  post(
    { time, draw, hear, isCut }: WireParts,
    sender: string,
    { id: endpoint }: Endpoint,
    { id, payload }: Pick<Message, 'id' | 'payload'>,
  ): Promise<PostResult> {
    const sentMs = time.nowMs
    const mostMs = (): number => {
      if (time.nowMs >= loadMs) return calmMs
      return draw() < slowRate ? slowestMs : usualMs
    }
    const delay = (): number => 0.5 + draw() * mostMs()
    const isTrouble = (rate: number): boolean => draw() < rate && time.nowMs < troubleUntilMs
    return new Promise((resolve) => {
      const end = (result: PostResult): void => hear(() => resolve(result))
      const stop = time.after(patienceMs, () => end({ status: null, fault: 'did not answer' }))
      const arrive = (): void => {
        if (isCut()) return
        const isAccepted = !isTrouble(refusalRate)
        const arrivedMs = time.nowMs
        this.arrivals.push({ endpoint, id, payload, sender, sentMs, arrivedMs, isAccepted })
        const status = isAccepted ? 204 : 500
        const isLost = isTrouble(lossRate)
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
