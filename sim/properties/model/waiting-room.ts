/**
 * Who waits for a first start, in the order in which they are to start: priority value, then
 * time of submission.
 */

import TinyQueue from 'tinyqueue'
import type { EventOf, Millis, PullRequestNumber } from '../../../engine/index.ts'
import type { Book, Seen } from './book.ts'
import { isTerminal } from './states.ts'

export type Waiting = {
  readonly number: PullRequestNumber
  /** Counts submissions: who came first. */
  readonly submission: number
  readonly priority: number
  readonly noBatch: boolean
  /** When it became PENDING; null while it is NOT_READY. */
  readonly pendingSince: Millis | null
}

export type WaitingRoom = Book & {
  /** How many are PENDING. */
  readonly pending: number
  /** Since when the one that has been PENDING longest is; Infinity when nobody is. */
  readonly pendingSince: Millis
  /** How many of these are never grouped with others. */
  readonly pendingAlone: number
  /** The first that is PENDING. */
  readonly next: Waiting | undefined
  /** The first `count` that are PENDING, in order. */
  first(count: number): readonly Waiting[]
  find(number: PullRequestNumber): Waiting | undefined
  /** Everybody in it, PENDING or not, in no order. */
  everybody(): Iterable<Waiting>
}

/** The value of `urgent`: at once, and alone. */
export const urgentPriority = 0

/** Whether it is tested by itself: asked for, or urgent. */
function startsAlone({ noBatch, priority }: Waiting): boolean {
  return noBatch || priority === urgentPriority
}

export function waitingRoom(): WaitingRoom {
  const waiting = new Map<PullRequestNumber, Waiting>()
  // Whoever left or changed stays in it, and is passed over when met.
  const order = new TinyQueue<Waiting>([], comesBefore)
  let submissions = 0
  let pending = 0
  let pendingAlone = 0
  /** Null: to be found out. */
  let longestSince: Millis | null = null

  const put = (number: PullRequestNumber, now: Waiting | null): void => {
    const before = waiting.get(number)
    longestSince = null
    if (before && before.pendingSince !== null) {
      pending--
      if (startsAlone(before)) pendingAlone--
    }
    if (!now) {
      waiting.delete(number)
      return
    }
    waiting.set(number, now)
    if (now.pendingSince === null) return
    pending++
    if (startsAlone(now)) pendingAlone++
    order.push(now)
  }
  const findLongest = (): Millis => {
    let since = Infinity
    if (pending === 0) return since
    for (const one of waiting.values()) {
      if (one.pendingSince !== null && one.pendingSince < since) since = one.pendingSince
    }
    return since
  }
  const first = (count: number): readonly Waiting[] => {
    const found: Waiting[] = []
    while (found.length < count && order.length > 0) {
      const next = order.pop()
      if (next && waiting.get(next.number) === next) found.push(next)
    }
    for (const one of found) order.push(one)
    return found
  }
  const submit = (event: EventOf<'pullRequestSubmitted'>, { at }: Seen): void => {
    const { number, priority, noBatch } = event
    const pendingSince = event.state === 'PENDING' ? at : null
    put(number, { number, submission: ++submissions, priority, noBatch, pendingSince })
  }
  const move = ({ number, to }: EventOf<'pullRequestMoved'>, { at }: Seen): void => {
    const known = waiting.get(number)
    if (!known) return
    const isGone = isTerminal(to)
    if (isGone) put(number, null)
    else if (to === 'PENDING') put(number, { ...known, pendingSince: at })
    else if (to === 'NOT_READY') put(number, { ...known, pendingSince: null })
  }

  return {
    get pending() {
      return pending
    },
    get pendingSince() {
      return (longestSince ??= findLongest())
    },
    get pendingAlone() {
      return pendingAlone
    },
    get next() {
      for (;;) {
        const top = order.peek()
        if (!top || waiting.get(top.number) === top) return top
        order.pop()
      }
    },
    first,
    find: (number) => waiting.get(number),
    everybody: () => waiting.values(),
    on: {
      pullRequestSubmitted: submit,
      pullRequestMoved: move,
      groupPlaced({ members }) {
        for (const number of members) put(number, null)
      },
      pullRequestRewritten({ number, priority, noBatch }) {
        const known = waiting.get(number)
        if (known) put(number, { ...known, priority, noBatch })
      },
    },
  }
}

/** Priority value, then time of submission. */
export function comesBefore(a: Waiting, b: Waiting): number {
  return a.priority - b.priority || a.submission - b.submission
}
