/**
 * The pull requests that wait for their first start, in the order in which they are to start: by
 * priority value, then by time of submission.
 */

import TinyQueue from 'tinyqueue'
import type { EventOf, Millis, PullRequestNumber } from '../../engine/index.ts'
import type { Point } from '../steps/handlers.ts'
import type { Projection } from './projection.ts'
import { isTerminal } from '../steps/terminal-states.ts'

export type WaitingPullRequest = {
  readonly number: PullRequestNumber
  /** The number of its submission; submissions are counted in their order. */
  readonly submission: number
  readonly priority: number
  readonly noBatch: boolean
  /** When it became PENDING; null while it is NOT_READY. */
  readonly pendingSince: Millis | null
}

export type WaitingList = Projection & {
  /** The number of PENDING pull requests. */
  readonly pending: number
  /** Since when the first of them has been PENDING; Infinity when there is none. */
  readonly pendingSince: Millis
  /** How many of these must be tested alone. */
  readonly pendingAlone: number
  /** The first PENDING one in order. */
  readonly next: WaitingPullRequest | undefined
  /** The first `count` PENDING ones, in order. */
  first(count: number): readonly WaitingPullRequest[]
  find(number: PullRequestNumber): WaitingPullRequest | undefined
  /** All of them, PENDING or NOT_READY, in no order. */
  all(): Iterable<WaitingPullRequest>
}

/** The priority value of an urgent pull request: it starts at once, and alone. */
export const urgentPriority = 0

/** Whether it must be tested alone: it is noBatch, or urgent. */
export function startsAlone({ noBatch, priority }: WaitingPullRequest): boolean {
  return noBatch || priority === urgentPriority
}

export function waitingList(): WaitingList {
  const waiting = new Map<PullRequestNumber, WaitingPullRequest>()
  // An entry that has left or changed stays in the heap, and is skipped when it comes up.
  const order = new TinyQueue<WaitingPullRequest>([], comesBefore)
  let submissions = 0
  let pending = 0
  let pendingAlone = 0
  /** Null if it has to be computed again. */
  let longestSince: Millis | null = null

  /** The first ones in order, as last computed; null after any change. */
  let firstOnes: readonly WaitingPullRequest[] | null = null

  const put = (number: PullRequestNumber, now: WaitingPullRequest | null): void => {
    const before = waiting.get(number)
    longestSince = null
    firstOnes = null
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
  const first = (count: number): readonly WaitingPullRequest[] => {
    const wanted = Math.min(count, pending)
    if (!firstOnes || firstOnes.length < wanted) firstOnes = findFirst(wanted)
    return firstOnes.length === wanted ? firstOnes : firstOnes.slice(0, wanted)
  }
  const findFirst = (count: number): readonly WaitingPullRequest[] => {
    const found: WaitingPullRequest[] = []
    while (found.length < count && order.length > 0) {
      const next = order.pop()
      if (next && waiting.get(next.number) === next) found.push(next)
    }
    for (const one of found) order.push(one)
    return found
  }
  const submit = (event: EventOf<'pullRequestSubmitted'>, { at }: Point): void => {
    const { number, priority, noBatch } = event
    const pendingSince = event.state === 'PENDING' ? at : null
    put(number, { number, submission: ++submissions, priority, noBatch, pendingSince })
  }
  const move = ({ number, to }: EventOf<'pullRequestMoved'>, { at }: Point): void => {
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
    all: () => waiting.values(),
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
export function comesBefore(a: WaitingPullRequest, b: WaitingPullRequest): number {
  return a.priority - b.priority || a.submission - b.submission
}
