/**
 * The pull requests that wait for their first start, in the order in which they are to start: by
 * priority value, then by time of submission.
 */

import TinyQueue from 'tinyqueue'
import type { EventOf, PullRequestNumber } from '../../engine/index.ts'
import type { Projection } from './projection.ts'
import { isTerminal } from '../steps/step.ts'

type WaitingPullRequest = {
  readonly number: PullRequestNumber
  /** Its place among those of its priority: submissions and later turns (E-262) in their order. */
  readonly turn: number
  readonly priority: number
  readonly isPending: boolean
  readonly dependsOn: readonly PullRequestNumber[]
}

export type WaitingList = Projection & {
  /** The first `count` PENDING ones, in order. */
  first(count: number): readonly WaitingPullRequest[]
  find(number: PullRequestNumber): WaitingPullRequest | undefined
}

export function waitingList(): WaitingList {
  const waiting = new Map<PullRequestNumber, WaitingPullRequest>()
  // An entry that has left or changed stays in the heap, and is skipped when it comes up.
  const order = new TinyQueue<WaitingPullRequest>([], comesBefore)
  let turns = 0

  const put = (one: WaitingPullRequest): void => {
    waiting.set(one.number, one)
    if (one.isPending) order.push(one)
  }
  const first = (count: number): readonly WaitingPullRequest[] => {
    const found: WaitingPullRequest[] = []
    while (found.length < count && order.length > 0) {
      const next = order.pop()
      if (next && waiting.get(next.number) === next) found.push(next)
    }
    for (const one of found) order.push(one)
    return found
  }
  const submit = (event: EventOf<'pullRequestSubmitted'>): void => {
    const { number, priority, state, dependsOn = [] } = event
    put({ number, turn: ++turns, priority, isPending: state === 'PENDING', dependsOn })
  }
  const move = ({ number, to, turn }: EventOf<'pullRequestMoved'>): void => {
    const known = waiting.get(number)
    if (!known) return
    if (isTerminal(to)) waiting.delete(number)
    else if (to === 'PENDING' || to === 'NOT_READY') {
      const place = turn === undefined ? known.turn : ++turns
      put({ ...known, turn: place, isPending: to === 'PENDING' })
    }
  }

  return {
    first,
    find: (number) => waiting.get(number),
    on: {
      pullRequestSubmitted: submit,
      pullRequestMoved: move,
      groupPlaced({ members }) {
        for (const number of members) waiting.delete(number)
      },
      pullRequestRewritten({ number, priority }) {
        const known = waiting.get(number)
        if (known) put({ ...known, priority })
      },
    },
  }
}

/** Priority value, then turn. */
function comesBefore(a: WaitingPullRequest, b: WaitingPullRequest): number {
  return a.priority - b.priority || a.turn - b.turn
}
