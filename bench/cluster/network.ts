/**
 * The network: messages take their time, a link can be cut, and a message or the answer to it can be lost.
 */

import type { WebhookEventType } from '../../server/notices/queue-notices.ts'
import type { Message, Endpoint } from '../../server/webhooks/message.ts'
import type { PostResult } from '../../server/webhooks/post.ts'
import type { Timers } from '../../server/timing/timers.ts'
import type { Defect } from './defects.ts'
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

/** A process on a machine that has a clock of its own. */
export type Process = Link & {
  /** Another process never has the same name. */
  readonly name: string
  readonly timers: Timers
  /** What is wrong with its program. */
  readonly defect: Defect | null
}

/** How messages to somebody fare. */
export type Habits = {
  readonly delayMs: (link: Link) => number
  /** Without an answer for so long the connection counts as broken. */
  readonly patienceMs: number
  /** How often a message does not arrive, and how often an answer does not. Default: never. */
  readonly lossRate?: (nowMs: number) => number
}

export type Wire = ReturnType<typeof wireOf>

export function wireOf(link: Link, { delayMs, patienceMs, lossRate = () => 0 }: Habits) {
  const { time, draw, isCut, deliver } = link

  /** Sends a message. If it is lost, who sent it is told that the connection broke, or waits in vain. */
  const tell = (act: () => void, onBroken = (): void => undefined): void => {
    if (isCut()) return
    const isLost = draw() < lossRate(time.nowMs)
    const isNoticed = isLost && draw() < 0.5
    time.after(delayMs(link), () => {
      if (isNoticed) onBroken()
      else if (!isLost && !isCut()) act()
    })
  }

  /** Lets something happen where the message arrives, and settles with what came of it. Rejects if that is not known. */
  const ask = <T>(act: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (why: string): void => deliver(() => reject(new Error(why)))
      time.after(patienceMs, () => fail('nobody answers'))
      const onBroken = (): void => fail('the connection broke')
      const happen = (): void => {
        // What it throws is an answer too.
        const done = new Promise<T>((settle) => settle(act()))
        const answer = (): void => tell(() => deliver(() => resolve(done)), onBroken)
        void done.then(answer, answer)
      }
      tell(happen, onBroken)
    })

  return { ask, tell }
}

// Receivers of webhooks, and the network before them: slow, cut, sometimes without an answer.

/** Few types, so that all can be delivered one after another in the time of a rehearsal. */
const selections: readonly (readonly WebhookEventType[])[] = [
  ['queue.created', 'pull_request.submitted', 'pull_request.merged'],
  ['pull_request.queued', 'pull_request.failed'],
]

export const endpoints = selections.map((events, place): Endpoint => {
  const id = `receiver ${place}`
  const url = `http://receiver-${place}.example/`
  return { id, url, secret: 'whsec_AAAA', events, createdAt: '2026-01-01T00:00:00Z' }
})

export type Arrival = {
  readonly endpoint: string
  readonly id: string
  readonly payload: string
  /** The name of the process that sent it. */
  readonly server: string
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
const postLossRate = 0.005
/** A message that fails waits for up to ten seconds, and all must arrive in time. */
const isAfterFailures = (nowMs: number): boolean => nowMs >= loadMs / 2

const posts: Habits = {
  delayMs: ({ time, draw }) => {
    const isSlow = draw() < slowRate
    const mostMs = time.nowMs >= loadMs ? calmMs : isSlow ? slowestPostMs : usualMs
    return 0.5 + draw() * mostMs
  },
  patienceMs: 2_000,
  lossRate: (nowMs) => (isAfterFailures(nowMs) ? 0 : postLossRate),
}

export class Receivers {
  readonly arrivals: Arrival[] = []

  post(
    process: Process,
    { id: endpoint }: Endpoint,
    { id, payload }: Pick<Message, 'id' | 'payload'>,
  ): Promise<PostResult> {
    const { time, draw, name: server } = process
    const sentMs = time.nowMs
    const posted = wireOf(process, posts).ask<PostResult>(() => {
      const arrivedMs = time.nowMs
      const isAccepted = draw() >= refusalRate || isAfterFailures(arrivedMs)
      this.arrivals.push({ endpoint, id, payload, server, sentMs, arrivedMs, isAccepted })
      return isAccepted ? { status: 204, fault: null } : { status: 500, fault: 'answered 500' }
    })
    return posted.catch(() => ({ status: null, fault: 'did not answer' }))
  }
}
