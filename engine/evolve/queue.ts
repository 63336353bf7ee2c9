/** How events about the queue itself, its clock and its target branch change the state. */

import { configurationWith, upgraded } from '../model/configuration.ts'
import { extend } from '../model/ids.ts'
import { contentOf, memberContents } from '../model/content.ts'
import { pendingInOrder, addToTargetIndex, emptyTargetIndex } from '../model/pending-order.ts'
import type { Bisection, GroupView, PullRequestNumber, Queue } from '../model/state.ts'
import { sharesTarget, type ImpactedTargets } from '../model/targets.ts'
import {
  groupsInLine,
  groupsInPhase,
  groupWith,
  holds,
  isLeftOut,
  isNextToMerge,
  runOf,
} from '../model/predecessors.ts'
import {
  type Evolution,
  expect,
  groupOf,
  pullRequestOf,
  testRunOf,
  enterPhase,
  put,
} from './evolution.ts'

export const evolveQueue: Evolution<
  | 'tipMoved'
  | 'queueConfigured'
  | 'hostAttached'
  | 'queueStateChanged'
  | 'testQuarantined'
  | 'testReleased'
  | 'wakeScheduled'
  | 'woken'
  | 'runTimesRenewed'
> = {
  tipMoved(queue, { tip, number, composition }) {
    queue.tip = { number: tip, composition }
    queue.greenOnTip = []
    const merged = groupNextToMerge(queue, number)
    // No run of the queue has passed it: a push, a merge by hand, a direct merge. Rule: E-230.
    if (merged?.phase.kind !== 'passed' || merged.phase.run === null) queue.pushedAt = tip
    const commit = { number, targets: merged?.targets ?? 'ALL' }
    noteLanded(queue, commit)
    for (const bisection of queue.bisections) followTip(queue, bisection, commit)
    overtake(queue, commit)
    if (merged === null) noteWhileMerging(queue)
  },

  queueConfigured(queue, { set }) {
    const { mode } = queue.configuration
    queue.configuration = configurationWith({ ...queue.configuration, ...upgraded(set) })
    if (queue.configuration.mode !== mode) changeMode(queue)
    else testTipAnew(queue)
  },

  hostAttached(queue, { codeHost }) {
    queue.codeHost = codeHost
  },

  queueStateChanged(queue, { to, wishedMode }) {
    queue.state = to
    queue.wishedMode = wishedMode
  },

  testQuarantined(queue, { test, entry }) {
    queue.quarantine ??= { tests: {}, mergesBy: {}, merges: 0 }
    put(queue.quarantine.tests, test, entry)
    testTipAnew(queue)
  },

  testReleased({ quarantine }, { test }) {
    delete quarantine?.tests[test]
    delete quarantine?.mergesBy[test]
  },

  wakeScheduled(queue, { wakeAt }) {
    queue.wakeAt = wakeAt
  },

  woken(queue) {
    queue.wakeAt = null
    expectAll(queue)
  },

  runTimesRenewed(queue, { deadline }) {
    for (const run of Object.values(queue.testRuns))
      queue.testRuns[run.id] = { ...run, deadline: Math.max(run.deadline, deadline) }
    for (const group of groupsInPhase(queue, 'testing')) {
      const { phase } = group
      if (phase.kind !== 'testing') continue
      enterPhase(queue, groupOf(queue, group.id), {
        kind: 'testing',
        run: testRunOf(queue, phase.run.id),
      })
    }
    expectAll(queue)
  },
}

/** The settings, or a test that is in quarantine now, may have been the reason: a tip that failed is tested at once. Rule: E-236. */
function testTipAnew(queue: Queue): void {
  const failure = queue.tipTest?.failure
  if (!queue.tipTest || !failure) return
  queue.tipTest = { ...queue.tipTest, failure: { ...failure, times: 0, notBefore: queue.now } }
  expect(queue, queue.now)
}

/** A commit on the branch. Nothing is known of the targets of one from outside the queue. */
type Commit = { readonly number: PullRequestNumber | null; readonly targets: ImpactedTargets }

/** Keeps what a later upload is compared with. Rules: E-143, E-153. */
function noteLanded(queue: Queue, { number, targets }: Commit): void {
  if (queue.configuration.mode === 'single') return
  const since = Math.min(
    ...groupsInLine(queue).map((group) => runOf(group)?.tip ?? Infinity),
    ...queue.bisections.map(({ began }) => began),
  )
  const content = number === null ? 0 : contentOf(queue, number)
  queue.landed = queue.landed.filter(({ tip }) => tip > since)
  queue.landed.push({ tip: queue.tip.number, content, targets })
}

/**
 * Updates a bisection after a commit. Its own next member moves the pinned tip along. Any other
 * commit marks the tip as moved, unless it is of a concurrent group in parallel mode.
 */
function followTip(queue: Queue, bisection: Bisection, { number, targets }: Commit): void {
  if (bisection.handedOver[0] === number && !bisection.isTipMoved) {
    bisection.handedOver.shift()
    bisection.tip = queue.tip.number
    bisection.composition = extend(bisection.composition, memberContents(bisection, [number]))
    return
  }
  if (mayTouch(queue, targets, bisection.targets)) bisection.isTipMoved = true
}

/** Marks the groups of which the run would have to hold this commit, and does not (E-193). */
function overtake(queue: Queue, { number, targets }: Commit): void {
  for (const kind of ['waiting', 'testing', 'failed'] as const) {
    for (const group of groupsInPhase(queue, kind)) {
      const run = runOf(group)
      const isOnItsOwn = run?.screening === true || isLeftOut(group)
      if (!run || !isOnItsOwn || (number !== null && holds(queue, run, number))) continue
      if (mayTouch(queue, targets, group.targets)) groupOf(queue, group.id).overtaken = true
    }
  }
}

/** The merges under way were asked for before this push, so it explains that the branch moved (E-208). */
function noteWhileMerging(queue: Queue): void {
  for (const { id } of groupsInPhase(queue, 'passed')) {
    const group = groupOf(queue, id)
    const { phase } = group
    if (phase.kind !== 'passed' || phase.merging === null) continue
    enterPhase(queue, group, { ...phase, pushedTo: true })
  }
}

/** False if the commit is of a concurrent group in parallel mode. */
const mayTouch = ({ configuration }: Queue, a: ImpactedTargets, b: ImpactedTargets): boolean =>
  configuration.mode === 'single' || sharesTarget(a, b)

/**
 * The group of the pull request that merged, if the pull request was the next to merge. Null for a
 * push from outside and for a manual merge out of order, which counts as a push.
 */
function groupNextToMerge(queue: Queue, number: PullRequestNumber | null): GroupView | null {
  if (number === null) return null
  const group = groupWith(queue, number)
  return group && isNextToMerge(queue, group, number) ? group : null
}

/** Builds or drops the index of the pending order. The line is empty at this time. */
function changeMode(queue: Queue): void {
  queue.landed = []
  queue.order.sharing = emptyTargetIndex()
  for (const { number } of pendingInOrder(queue))
    addToTargetIndex(queue, pullRequestOf(queue, number))
}

/** Computes the next deadline again from all runs, retries and holds. */
function expectAll(queue: Queue): void {
  queue.nextDeadline = null
  for (const { deadline } of Object.values(queue.testRuns)) expect(queue, deadline)
  for (const { phase } of groupsInPhase(queue, 'waiting')) {
    if (phase.kind === 'waiting' && phase.retry) expect(queue, phase.retry.notBefore)
  }
  for (const { phase } of groupsInPhase(queue, 'failed')) {
    if (phase.kind === 'failed' && phase.heldUntil !== null) expect(queue, phase.heldUntil)
  }
  for (const { retries } of queue.bisections) {
    for (const { notBefore } of retries) expect(queue, notBefore)
  }
  if (queue.tipRetry) expect(queue, queue.tipRetry.notBefore)
  if (queue.tipTest?.failure) expect(queue, queue.tipTest.failure.notBefore)
}
