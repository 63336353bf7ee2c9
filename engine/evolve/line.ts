/** How events about the line and its groups change the state. */

import { leaveOrder, orderFactsOf } from '../model/pending-order.ts'
import type { Group, GroupPhase, PullRequestNumber, Queue } from '../model/state.ts'
import type { GroupPlaced } from '../protocol/events.ts'
import {
  type Evolution,
  bisectionOf,
  expect,
  groupOf,
  pullRequestOf,
  enterPhase,
  joinPhase,
  leavePhase,
  notMerging,
} from './evolution.ts'
import { keepBelow, link, relink, tie, unlink } from './links.ts'

const waiting: GroupPhase = { kind: 'waiting', retry: null }

export const evolveLine: Evolution<
  | 'groupPlaced'
  | 'groupRestarted'
  | 'groupSplit'
  | 'groupMoved'
  | 'groupLeft'
  | 'groupPassed'
  | 'groupFailed'
  | 'groupScreened'
  | 'groupConflicted'
  | 'holdStarted'
  | 'mergeRequested'
  | 'mergeRefused'
> = {
  groupPlaced(queue, event) {
    const { group: id, members, index, cause, bisection } = event
    const group: Group = {
      id,
      members: [],
      urgent: cause === 'urgent',
      place: 0,
      // Proven members merge as tested.
      targets: bisection === null ? [] : bisectionOf(queue, bisection).targets,
      dependsOn: [],
      beside: [],
      provenBy: bisection,
      phase: phaseOf(queue, event),
    }
    queue.last.group = id
    for (const number of members) moveInto(queue, group, number)
    enterLine(queue, group, index)
    link(queue, group)
  },

  groupRestarted(queue, { group: id, retry }) {
    const group = groupOf(queue, id)
    enterPhase(queue, group, { kind: 'waiting', retry })
    group.provenBy = null
    relink(queue, group)
    for (const number of group.members) pullRequestOf(queue, number).verifiedBy = null
    if (retry) expect(queue, retry.notBefore)
  },

  groupSplit(queue, { group: id, members, into, index }) {
    const group = groupOf(queue, id)
    group.members = group.members.filter((number) => !members.includes(number))
    // What its screening showed, it showed of all members together.
    delete group.screened
    // Fewer members are another composition, so a planned retry of the old one is dropped.
    if (group.phase.kind === 'waiting') enterPhase(queue, group, waiting)
    const behind: Group = {
      ...group,
      id: into,
      members: [],
      partOf: group.partOf ?? id,
      targets: [],
      dependsOn: [],
      beside: [],
      provenBy: null,
      phase: waiting,
    }
    queue.last.group = into
    for (const number of members) {
      moveInto(queue, behind, number)
      pullRequestOf(queue, number).verifiedBy = null
    }
    enterLine(queue, behind, index)
    relink(queue, group)
    link(queue, behind)
    keepBelow(queue, behind, group)
  },

  groupMoved(queue, { group: id, index }) {
    const group = groupOf(queue, id)
    takeOut(queue, group)
    enterLine(queue, group, index)
    tie(queue, group)
  },

  groupLeft(queue, { group: id }) {
    leaveLine(queue, id)
  },

  groupPassed(queue, { group: id, run }) {
    const group = groupOf(queue, id)
    enterPhase(queue, group, { kind: 'passed', run, merging: null, begun: false })
    for (const number of group.members) pullRequestOf(queue, number).verifiedBy = run.id
  },

  groupFailed(queue, { group: id, reason, failedTests, aside }) {
    const group = groupOf(queue, id)
    const { phase } = group
    if (phase.kind !== 'testing') throw new Error(`group ${id} failed without a test run`)
    enterPhase(queue, group, {
      kind: 'failed',
      run: phase.run,
      reason,
      failedTests,
      heldUntil: null,
      ...(aside ? { aside } : {}),
    })
  },

  groupScreened(queue, { group: id }) {
    const group = groupOf(queue, id)
    enterPhase(queue, group, waiting)
    group.screened = true
    relink(queue, group)
  },

  groupConflicted(queue, event) {
    const { group, with: other, asText } = event
    enterPhase(queue, groupOf(queue, group), { kind: 'conflicted', with: other, asText })
  },

  holdStarted(queue, { group: id, heldUntil }) {
    const group = groupOf(queue, id)
    const { phase } = group
    if (phase.kind !== 'failed') throw new Error(`group ${id} is held without a failure`)
    enterPhase(queue, group, { ...phase, heldUntil })
    expect(queue, heldUntil)
  },

  mergeRequested(queue, { group: id, number, numbers }) {
    const group = groupOf(queue, id)
    const { phase } = group
    if (phase.kind !== 'passed') return
    const together = numbers ? ({ together: true } as const) : {}
    enterPhase(queue, group, { ...phase, merging: number, ...together })
  },

  mergeRefused(queue, { group: id }) {
    const group = groupOf(queue, id)
    const { phase } = group
    if (phase.kind === 'passed') enterPhase(queue, group, notMerging(phase))
  },
}

/** Inserts a group into the line. Renumbers all places unless the group is the last one. */
function enterLine(queue: Queue, group: Group, index: number): void {
  const last = queue.groups[queue.line.at(-1) ?? 0]
  queue.groups[group.id] = group
  queue.line.splice(index, 0, group.id)
  group.place = (last?.place ?? 0) + 1
  if (index < queue.line.length - 1) {
    for (const [position, id] of queue.line.entries()) groupOf(queue, id).place = position
  }
  joinPhase(queue, group)
}

function takeOut(queue: Queue, group: Group): void {
  queue.line.splice(queue.line.indexOf(group.id), 1)
  leavePhase(queue, group)
}

/** Removes a group from the line. Its members must have left it before. */
export function leaveLine(queue: Queue, id: number): void {
  const group = groupOf(queue, id)
  unlink(queue, group)
  takeOut(queue, group)
  delete queue.groups[id]
}

/** The first phase of a group: `passed` for a direct merge or proven members, else `waiting`. */
function phaseOf(queue: Queue, { cause, bisection }: GroupPlaced): GroupPhase {
  if (cause === 'direct merge') return { kind: 'passed', run: null, merging: null, begun: false }
  if (bisection === null) return waiting
  return {
    kind: 'passed',
    run: bisectionOf(queue, bisection).provenIn,
    merging: null,
    begun: false,
  }
}

function moveInto(queue: Queue, group: Group, number: PullRequestNumber): void {
  const pullRequest = pullRequestOf(queue, number)
  const { home } = pullRequest
  const before = orderFactsOf(pullRequest)
  pullRequest.home = { in: 'group', group: group.id }
  group.members.push(number)
  if (home.in === 'order') leaveOrder(queue, pullRequest, before)
  if (home.in === 'bisection' && group.provenBy === home.bisection) {
    const bisection = bisectionOf(queue, home.bisection)
    bisection.proven = bisection.proven.filter((member) => member !== number)
    bisection.handedOver.push(number)
  }
}
