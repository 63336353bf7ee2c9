/** The groups that have started and not left, in order. */

import type {
  BisectionId,
  EventOf,
  GroupId,
  PullRequestNumber,
  TestRun,
} from '../../engine/index.ts'
import {
  inserted,
  isLeftOut,
  isYetToStart,
  newGroup,
  restart,
  type LineGroup,
} from './line-group.ts'
import type { EventHandlers } from '../steps/handlers.ts'
import type { Projection } from './projection.ts'
import { shareTarget, union, type Targets, type TargetSet } from './targets.ts'

export type Line = Projection & {
  readonly groups: readonly LineGroup[]
  group(id: GroupId): LineGroup | undefined
  groupOf(number: PullRequestNumber): LineGroup | undefined
}

export function line(targets: Targets): Line {
  const groups: LineGroup[] = []
  const byId = new Map<GroupId, LineGroup>()
  const groupByNumber = new Map<PullRequestNumber, LineGroup>()
  /** The last run by which each bisection has proven members. */
  const provenIn = new Map<BisectionId, TestRun>()

  /**
   * The impacted targets of the batch of each bisection, with those uploaded since. Proven members
   * keep them: they merge as they were tested.
   */
  const touchedBy = new Map<BisectionId, TargetSet>()
  const bisected = new Map<PullRequestNumber, BisectionId>()

  const enter = (group: LineGroup, index: number): void => {
    groups.splice(index, 0, group)
    byId.set(group.id, group)
    for (const number of group.members) {
      groupByNumber.set(number, group)
      bisected.delete(number)
    }
    group.touched = targets.of(group.members)
    const proven = group.provenBy === null ? undefined : (touchedBy.get(group.provenBy) ?? 'ALL')
    if (proven !== undefined) group.touched = union(proven, group.touched)
  }
  /** One that is under way keeps the targets of its start, whatever is uploaded. */
  const link = (group: LineGroup | undefined): void => {
    if (!group) return
    const uploaded = targets.of(group.members)
    group.touched = isYetToStart(group) ? uploaded : union(group.touched, uploaded)
  }
  const upload = ({ number }: EventOf<'impactedTargetsSet'>): void => {
    link(groupByNumber.get(number))
    const id = bisected.get(number)
    const touched = id === undefined ? undefined : touchedBy.get(id)
    if (id !== undefined && touched !== undefined)
      touchedBy.set(id, union(touched, targets.of([number])))
  }
  const leave = (id: GroupId): void => {
    const group = byId.get(id)
    if (!group) return
    groups.splice(groups.indexOf(group), 1)
    byId.delete(id)
    for (const number of group.members)
      if (groupByNumber.get(number) === group) groupByNumber.delete(number)
  }
  const beginBisection = ({ bisection, group, members }: EventOf<'bisectionStarted'>): void => {
    touchedBy.set(bisection, byId.get(group)?.touched ?? 'ALL')
    for (const number of members) bisected.set(number, bisection)
    leave(group)
  }
  const endBisection = ({ bisection }: EventOf<'bisectionEnded'>): void => {
    provenIn.delete(bisection)
    touchedBy.delete(bisection)
  }
  const start = ({ run }: EventOf<'testRunStarted'>): void => {
    const group = run.owner.kind === 'main' ? byId.get(run.owner.group) : undefined
    if (!group) return
    group.builtOn = builtOnOf(groups, group)
    group.status = 'testing'
    group.run = run
  }
  const change = (id: GroupId, how: (group: LineGroup) => void): void => {
    const group = byId.get(id)
    if (group) how(group)
  }
  const advance = ({ group: id, index }: EventOf<'groupMoved'>): void => {
    const group = byId.get(id)
    if (!group) return
    groups.splice(groups.indexOf(group), 1)
    groups.splice(index, 0, group)
  }
  const splitOff = ({ group: id, members, into, index }: EventOf<'groupSplit'>): void => {
    const group = byId.get(id)
    if (!group) return
    group.members = group.members.filter((number) => !members.includes(number))
    link(group)
    const entering = {
      id: into,
      members,
      isUrgent: group.isUrgent,
      provenBy: null,
      status: 'waiting',
      run: null,
    } as const
    enter(newGroup(entering), index)
    for (const each of groups) {
      const isOnTop = members.some((number) => each.run?.base.includes(number))
      if (isOnTop && each.builtOn.has(id)) each.builtOn = new Set([...each.builtOn, into])
    }
  }
  const end = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    bisected.delete(number)
    const group = groupByNumber.get(number)
    if (!group) return
    groupByNumber.delete(number)
    group.members = group.members.filter((member) => member !== number)
    link(group)
    // A merge by hand of the first one voids the request.
    const isVoid = reason === 'MANUAL_MERGE' && group.merging[0] === number
    group.merging = isVoid ? [] : group.merging.filter((member) => member !== number)
    if (to === 'MERGED' && reason !== 'MANUAL_MERGE') group.isPartlyMerged = true
  }

  return {
    groups,
    group: (id) => byId.get(id),
    groupOf: (number) => groupByNumber.get(number),
    on: {
      groupPlaced: (event) => enter(inserted(event, provenIn), event.index),
      membersProven: ({ bisection, run }) => void provenIn.set(bisection, run),
      bisectionStarted: beginBisection,
      bisectionEnded: endBisection,
      groupSplit: splitOff,
      groupMoved: advance,
      groupLeft: ({ group }) => leave(group),
      impactedTargetsSet: upload,
      pullRequestEnded: end,
      testRunStarted: start,
      ...phaseHandlers(change),
      groupRestarted({ group }) {
        change(group, restart)
        link(byId.get(group))
      },
      groupScreened({ group }) {
        change(group, screen)
        link(byId.get(group))
      },
    },
  }
}

/** The events that change only the phase of a group. */
function phaseHandlers(
  change: (id: GroupId, how: (group: LineGroup) => void) => void,
): EventHandlers {
  return {
    groupPassed({ group, run }) {
      change(group, (passed) => {
        passed.status = 'passed'
        passed.run = run
      })
    },
    groupFailed({ group, aside }) {
      change(group, (failed) => {
        failed.status = aside ? 'aside' : 'failed'
      })
    },
    groupConflicted({ group }) {
      change(group, (conflicted) => {
        conflicted.status = 'conflicted'
        conflicted.run = null
      })
    },
    mergeRequested({ group, number, numbers = [number] }) {
      change(group, (asked) => {
        asked.merging = numbers
        asked.mergesWith ??= asked.touched
      })
    },
    mergeRefused({ group }) {
      change(group, (refused) => {
        refused.merging = []
      })
    },
  }
}

function screen(group: LineGroup): void {
  group.status = 'waiting'
  group.run = null
}

/** The groups ahead on which a run of the group depends if it starts now. */
function builtOnOf(groups: readonly LineGroup[], group: LineGroup): ReadonlySet<GroupId> {
  const builtOn = new Set<GroupId>()
  for (const ahead of groups) {
    if (ahead === group) break
    if (isLeftOut(ahead)) continue
    if (shareTarget(ahead.touched, group.touched)) builtOn.add(ahead.id)
  }
  return builtOn
}
