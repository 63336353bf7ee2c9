/** How events about a pull request change the state. */

import {
  updateOrder,
  enterOrder,
  isPending,
  leaveOrder,
  orderFactsOf,
  addToTargetIndex,
  removeFromTargetIndex,
} from '../model/pending-order.ts'
import { isOtherContent } from '../model/content.ts'
import { entryOf } from '../model/quarantine.ts'
import { isAllowedMove, isTerminal } from '../model/pull-request.ts'
import type { HostFacts, PullRequest, Queue } from '../model/state.ts'
import type { PullRequestMoved, PullRequestSubmitted } from '../protocol/events.ts'
import {
  type Evolution,
  bisectionOf,
  groupOf,
  pullRequestOf,
  enterPhase,
  notMerging,
  put,
} from './evolution.ts'
import { widenBisection } from './bisection.ts'
import { relink } from './links.ts'

export const evolvePullRequest: Evolution<
  | 'pullRequestSubmitted'
  | 'pullRequestRewritten'
  | 'pullRequestMoved'
  | 'departureDeferred'
  | 'impactedTargetsSet'
  | 'pullRequestReported'
  | 'pullRequestForgotten'
> = {
  pullRequestSubmitted: submit,

  pullRequestRewritten(queue, { number, priority, priorityAsked, noBatch }) {
    const pullRequest = pullRequestOf(queue, number)
    const before = orderFactsOf(pullRequest)
    pullRequest.priority = priority
    pullRequest.priorityAsked = priorityAsked
    pullRequest.noBatch = noBatch
    pullRequest.leavingFor = null
    if (isPending(pullRequest)) updateOrder(queue, pullRequest, before)
  },

  pullRequestMoved: movePullRequest,

  departureDeferred(queue, { number, reason }) {
    pullRequestOf(queue, number).leavingFor = reason
  },

  impactedTargetsSet(queue, { number, targets }) {
    const pullRequest = queue.pullRequests[number]
    const pending = isPending(pullRequest) ? pullRequest : null
    if (pending) removeFromTargetIndex(queue, pending)
    queue.impactedTargets[number] = targets
    if (pending) addToTargetIndex(queue, pending)
    const home = pullRequest?.home
    if (home?.in === 'group') relink(queue, groupOf(queue, home.group))
    if (home?.in === 'bisection') widenBisection(queue, bisectionOf(queue, home.bisection), targets)
  },

  pullRequestReported(queue, { number, mergeable, greenOnTip, conflictsWith }) {
    const facts = factsOf(queue, number)
    if (mergeable !== undefined) facts.mergeable = mergeable
    if (greenOnTip !== undefined) {
      dropGreen(queue, number)
      if (greenOnTip) queue.greenOnTip.push(number)
    }
    if (conflictsWith?.length === 0) dropConflicts(queue, number)
    for (const other of conflictsWith ?? []) {
      if (other === number) continue
      addOnce(facts.conflictsWith, other)
      addOnce(factsOf(queue, other).conflictsWith, number)
    }
  },

  pullRequestForgotten(queue, { number }) {
    dropConflicts(queue, number)
    delete queue.pullRequests[number]
    delete queue.impactedTargets[number]
    delete queue.hostFacts[number]
    dropGreen(queue, number)
  },
}

/** A text conflict is stored for both. */
function dropConflicts(queue: Queue, number: number): void {
  for (const other of queue.hostFacts[number]?.conflictsWith ?? []) {
    const facts = factsOf(queue, other)
    facts.conflictsWith = facts.conflictsWith.filter((each) => each !== number)
  }
  const own = queue.hostFacts[number]
  if (own) own.conflictsWith = []
}

function dropGreen(queue: Queue, number: number): void {
  queue.greenOnTip = queue.greenOnTip.filter((green) => green !== number)
}

function submit(queue: Queue, event: PullRequestSubmitted): void {
  const { number, submission, sha, state, priority, priorityAsked, noBatch, dependsOn } = event
  const before = queue.pullRequests[number]
  if (!isAllowedMove(before?.state ?? 'none', state, 'API_REQUESTED')) {
    throw new Error(`pull request ${number} is in the queue already`)
  }
  const pullRequest: PullRequest = {
    number,
    state,
    reason: 'API_REQUESTED',
    stateChangedAt: queue.now,
    submittedAt: queue.now,
    submission,
    pendingSince: null,
    priority,
    priorityAsked,
    noBatch,
    home: { in: 'order' },
    mergedBefore: before !== undefined && (before.mergedBefore || before.state === 'MERGED'),
    flakeReturns: 0,
    verifiedBy: null,
    evidence: null,
    leavingFor: null,
  }
  // Not spread into the literal: that takes a twentieth of the time of a whole simulation.
  if (sha !== undefined) pullRequest.sha = sha
  if (dependsOn) pullRequest.dependsOn = [...dependsOn]
  // It was the content before that was green. Rule: E-227.
  if (before && isOtherContent(before, sha)) dropGreen(queue, number)
  queue.last.submission = submission
  queue.pullRequests[number] = pullRequest
  if (dependsOn) noteDependent(queue, number, dependsOn)
  enterOrder(queue, pullRequest)
}

function movePullRequest(queue: Queue, event: PullRequestMoved): void {
  const { number, from, to, reason } = event
  const pullRequest = pullRequestOf(queue, number)
  if (pullRequest.state !== from || !isAllowedMove(from, to, reason)) {
    throw new Error(
      `pull request ${number} cannot go from ${pullRequest.state} to ${to} (${reason ?? 'no reason'})`,
    )
  }
  const before = pullRequest.home.in === 'order' ? orderFactsOf(pullRequest) : null
  pullRequest.state = to
  pullRequest.reason = reason
  pullRequest.stateChangedAt = queue.now
  if (event.turn !== undefined) {
    pullRequest.turn = event.turn
    queue.last.submission = event.turn
  }
  if (isTerminal(to)) leaveLocation(queue, pullRequest, event)
  if (before) leaveOrder(queue, pullRequest, before)
  if (before && !isTerminal(to)) enterOrder(queue, pullRequest)
  judge(queue, event)
}

function leaveLocation(queue: Queue, pullRequest: PullRequest, event: PullRequestMoved): void {
  const { home, number, dependsOn = [] } = pullRequest
  pullRequest.home = { in: 'nowhere' }
  pullRequest.evidence = event.evidence ?? null
  pullRequest.leavingFor = null
  if (event.leftWith !== undefined) pullRequest.leftWith = event.leftWith
  for (const other of dependsOn) dropDependent(queue, number, other)
  if (event.to === 'MERGED') pullRequest.verifiedBy = event.testRun
  if (event.to === 'MERGED' && event.quarantined) {
    pullRequest.quarantined = event.quarantined
    countLeaning(queue, event.quarantined)
    if (queue.tipTest) {
      const leansOn = [...new Set([...(queue.tipTest.leansOn ?? []), ...event.quarantined])]
      queue.tipTest = { ...queue.tipTest, leansOn }
    }
  }
  if (home.in === 'group') {
    const group = groupOf(queue, home.group)
    group.members = group.members.filter((member) => member !== number)
    delete group.screened
    const { phase } = group
    if (phase.kind === 'passed') {
      const isRegularMerge = event.to === 'MERGED' && event.reason !== 'MANUAL_MERGE'
      const left = phase.merging === number ? notMerging(phase) : phase
      enterPhase(queue, group, { ...left, begun: phase.begun || isRegularMerge })
    }
    // What was uploaded for it leaves with it, unless the group is under way.
    relink(queue, group)
  }
}

function noteDependent(queue: Queue, number: number, dependsOn: readonly number[]): void {
  queue.dependents ??= {}
  for (const other of dependsOn) addOnce((queue.dependents[other] ??= []), number)
}

function dropDependent({ dependents = {} }: Queue, number: number, other: number): void {
  const left = dependents[other]?.filter((dependent) => dependent !== number) ?? []
  if (left.length > 0) dependents[other] = left
  else delete dependents[other]
}

/** One merged by a run in which these tests failed. Rule: E-272. */
function countLeaning(queue: Queue, tests: readonly string[]): void {
  const { quarantine } = queue
  if (!quarantine) return
  quarantine.merges++
  for (const test of new Set(tests)) {
    if (!entryOf(queue, test)) continue
    const { mergesBy } = quarantine
    const before = Object.hasOwn(mergesBy, test) ? (mergesBy[test] ?? 0) : 0
    put(mergesBy, test, before + 1)
  }
}

/** Counts the verdicts that the failure rate of the queue is estimated from. */
function judge(queue: Queue, { reason }: PullRequestMoved): void {
  const isFailure =
    reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' ||
    reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION' ||
    reason === 'TEST_RUN_TIMEOUT' ||
    reason === 'START_TEST_RUN_RETRY_EXHAUSTED'
  if (reason === 'MERGE_GRAPH_MERGE' || isFailure) queue.judged.count++
  if (isFailure) queue.judged.failed++
}

function factsOf(queue: Queue, number: number): HostFacts {
  const known = queue.hostFacts[number]
  if (known) return known
  const facts: HostFacts = { conflictsWith: [] }
  queue.hostFacts[number] = facts
  return facts
}

function addOnce(numbers: number[], number: number): void {
  if (!numbers.includes(number)) numbers.push(number)
}
