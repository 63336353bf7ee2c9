/**
 * A queue as the page shows it at one instant, each part as JSON. A frame is the difference of two
 * pictures, so whoever folds all frames has the last picture.
 */

import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { QueueGlance } from './answers.ts'
import type { EndedRow, Estimate } from './frame.ts'
import { lineOf } from './line.ts'
import type { Audience } from './public-view.ts'
import type { HeadParts } from './queue-head.ts'
import type { EstimateOf } from './rows.ts'
import { views } from './view.ts'

export type PictureParts = HeadParts & { readonly estimateOf: EstimateOf }

export type Picture = {
  readonly queue: string
  readonly line: string
  readonly waiting: string
  /** By number: everybody in the line, and those who are shown waiting. */
  readonly rows: ReadonlyMap<number, string>
  /** The position after the last conclusion. */
  readonly conclusions: number
}

/** Of a long queue the first are shown; the page says how many there are. */
const mostWaiting = 200
export const mostEnded = 30

export function pictureOf(queue: ManagedQueue, parts: PictureParts, audience: Audience): Picture {
  const view = views[audience]
  const { pullRequests } = queue.engine.queue
  const line = lineOf(queue, audience)
  const order = firstWaiting(queue)
  const tested = [
    ...line.groups.flatMap(({ members }) => members),
    ...line.bisections.flatMap(({ members }) => members),
  ]
  const rows = new Map<number, string>()
  for (const number of [...tested, ...order]) {
    const pullRequest = pullRequests[number]
    if (!pullRequest || pullRequest.home.in === 'nowhere') continue
    rows.set(number, JSON.stringify(view.row(queue, pullRequest, parts)))
  }
  return {
    queue: JSON.stringify(view.head(queue, parts)),
    line: JSON.stringify(line),
    waiting: JSON.stringify({ order, total: waitingIn(queue) }),
    rows,
    conclusions: queue.history.conclusions.end,
  }
}

function firstWaiting(queue: ManagedQueue): number[] {
  const order: number[] = []
  for (const { number, home } of queue.positions().inOrder()) {
    if (home.in !== 'order') continue
    order.push(number)
    if (order.length === mostWaiting) break
  }
  return order
}

/** What the list of queues says of one. */
export function glanceOf(
  queue: ManagedQueue,
  parts: PictureParts,
  audience: Audience,
): QueueGlance {
  const { pullRequests } = queue.engine.queue
  const { conclusions } = queue.history
  let lastFailure: QueueGlance['lastFailure'] = null
  for (let at = conclusions.end - 1; !lastFailure && at > conclusions.end - mostLookedAt; at--) {
    const pullRequest = pullRequests[conclusions.at(at) ?? 0]
    if (pullRequest?.state !== 'FAILED') continue
    const row = views[audience].ended(queue, pullRequest)
    lastFailure = row && { number: row.number, at: row.at, why: row.why }
  }
  const waits = waitingIn(queue)
  return {
    ...views[audience].head(queue, parts),
    inLine: queue.positions().size - waits,
    waits,
    next: nextOf(queue, parts.estimateOf),
    lastFailure,
  }
}

/** Who lands first by the estimates, as the page of the queue says; without any, who is first. Nobody lands who is not ready. */
function nextOf(queue: ManagedQueue, estimateOf: EstimateOf): QueueGlance['next'] {
  const { line, groups, bisections, pullRequests } = queue.engine.queue
  const inLine = line.flatMap((id) => groups[id]?.members ?? [])
  const searched = bisections.flatMap(({ submissions }) => Object.keys(submissions).map(Number))
  let next: QueueGlance['next'] = null
  for (const number of [...inLine, ...searched, ...firstWaiting(queue)]) {
    const { home, state = 'NOT_READY' } = pullRequests[number] ?? {}
    if (home?.in === 'nowhere' || state === 'NOT_READY') continue
    const estimate = estimateOf(queue, number)
    if (!next || medianOf(estimate) < medianOf(next.estimate)) next = { number, estimate }
  }
  return next
}

/** After every instant if it is not known. */
const medianOf = (estimate: Estimate | null): string =>
  estimate?.kind === 'range' ? estimate.median : '~'

const mostLookedAt = 200

/** All but those in the line and in bisections. */
function waitingIn(queue: ManagedQueue): number {
  const { groups, bisections, pullRequests } = queue.engine.queue
  let elsewhere = 0
  for (const { members } of Object.values(groups)) elsewhere += members.length
  for (const { id, submissions } of bisections) {
    for (const number of Object.keys(submissions)) {
      const home = pullRequests[Number(number)]?.home
      if (home?.in === 'bisection' && home.bisection === id) elsewhere++
    }
  }
  return queue.positions().size - elsewhere
}

/** Those who left the queue from this position on, newest first. */
export function endedSince(queue: ManagedQueue, from: number, audience: Audience): EndedRow[] {
  const { conclusions, pullRequests } = queue.history
  const rows: EndedRow[] = []
  const { end } = conclusions
  for (let position = end - 1; position >= from && rows.length < mostEnded; position--) {
    const number = conclusions.at(position)
    // Who came again and left again is listed at the later position.
    if (number === undefined || pullRequests.get(number)?.concludedAs !== position) continue
    const pullRequest = queue.engine.queue.pullRequests[number]
    const row = pullRequest ? views[audience].ended(queue, pullRequest) : null
    if (row) rows.push(row)
  }
  return rows
}
