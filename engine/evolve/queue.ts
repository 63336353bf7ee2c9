/** How events about the queue as a whole, its clock and its branch change the state. */

import { extend } from '../model/composition.ts'
import { memberContents } from '../model/content.ts'
import { pendingInOrder } from '../model/pending-order.ts'
import { addSharing, emptySharing } from '../model/pending-sharing.ts'
import type { Bisection, Group, PullRequestNumber, Queue } from '../model/state.ts'
import { sharesTarget } from '../model/targets.ts'
import { groupsInPhase, isNextToMerge } from '../line/predecessors.ts'
import type { Evolution } from './evolution.ts'
import { expect, pullRequestOf } from './lookup.ts'

export const evolveQueue: Evolution<
  'tipMoved' | 'queueConfigured' | 'queueStateChanged' | 'wakeScheduled' | 'woken'
> = {
  tipMoved(queue, { tip, number, composition }) {
    queue.tip = { number: tip, composition }
    queue.greenOnTip = []
    for (const bisection of queue.bisections) followTip(queue, bisection, number)
  },

  queueConfigured(queue, { set }) {
    const { mode } = queue.configuration
    queue.configuration = { ...queue.configuration, ...set }
    if (queue.configuration.mode !== mode) changeMode(queue)
  },

  queueStateChanged(queue, { to, wishedMode }) {
    queue.state = to
    queue.wishedMode = wishedMode
  },

  wakeScheduled(queue, { wakeAt }) {
    queue.wakeAt = wakeAt
  },

  woken(queue) {
    queue.wakeAt = null
    expectAll(queue)
  },
}

/** A bisection's own member merging moves its pin along; what others merge beside it does not. */
function followTip(queue: Queue, bisection: Bisection, number: PullRequestNumber | null): void {
  if (number !== null && bisection.handedOver[0] === number && !bisection.isTipMoved) {
    bisection.handedOver.shift()
    bisection.tip = queue.tip.number
    bisection.composition = extend(bisection.composition, memberContents(bisection, [number]))
    return
  }
  const group = groupInTurn(queue, number)
  const isBeside =
    group !== null &&
    queue.configuration.mode === 'parallel' &&
    !sharesTarget(group.targets, bisection.targets)
  if (!isBeside) bisection.isTipMoved = true
}

/**
 * The group whose next member lands. Null for a push from outside, and for what lands out of its
 * turn, merged by a person: that is a push like any other.
 */
function groupInTurn(queue: Queue, number: PullRequestNumber | null): Group | null {
  if (number === null) return null
  const home = queue.pullRequests[number]?.home
  const group = home?.in === 'group' ? queue.groups[home.group] : undefined
  return group && isNextToMerge(queue, group, number) ? group : null
}

/** What only parallel mode keeps is made, or dropped. The line is empty when this happens. */
function changeMode(queue: Queue): void {
  queue.order.sharing = emptySharing()
  queue.touching = { byTarget: {}, all: [] }
  for (const { number } of pendingInOrder(queue)) addSharing(queue, pullRequestOf(queue, number))
}

/** When a run times out or a retry is due, looked up from scratch. */
function expectAll(queue: Queue): void {
  queue.nextDeadline = null
  for (const { deadline } of Object.values(queue.testRuns)) expect(queue, deadline)
  for (const { phase } of groupsInPhase(queue, 'waiting')) {
    if (phase.kind === 'waiting' && phase.retry) expect(queue, phase.retry.notBefore)
  }
  for (const { retries } of queue.bisections) {
    for (const { notBefore } of retries) expect(queue, notBefore)
  }
}
