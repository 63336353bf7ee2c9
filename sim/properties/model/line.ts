/** The groups that have started and not left, in order, as the events tell it. */

import type {
  BisectionId,
  EventOf,
  GroupId,
  Millis,
  PullRequestNumber,
  TestRun,
} from '../../../engine/index.ts'
import type { Book } from './book.ts'
import { shareTarget, type Targets, type Touched } from './targets.ts'

/** A group as it stands in the line. */
export type LineGroup = {
  readonly id: GroupId
  /** Not yet merged, in order. */
  members: PullRequestNumber[]
  /** What they touch, as of the last start. */
  touched: Touched
  readonly isUrgent: boolean
  /** Its members were proven by a bisection and only wait to be merged. */
  readonly provenBy: number | null
  stand: 'waiting' | 'testing' | 'passed' | 'failed' | 'conflicted'
  /** Those ahead with which it shared a target when that run started. */
  ground: ReadonlySet<GroupId>
  /** The run under way for it, or the one its verdict stands on. */
  run: TestRun | null
  /** While it waits: not to be started before. */
  notBefore: Millis | null
  /** The member whose merge the code host is working on. */
  merging: PullRequestNumber | null
  /** A member has merged already. */
  hasBegun: boolean
}

export type Line = Book & {
  readonly groups: readonly LineGroup[]
  group(id: GroupId): LineGroup | undefined
  groupOf(number: PullRequestNumber): LineGroup | undefined
}

export function line(targets: Targets): Line {
  const groups: LineGroup[] = []
  const byId = new Map<GroupId, LineGroup>()
  const homes = new Map<PullRequestNumber, LineGroup>()
  /** The last run by which a bisection has proven anybody. */
  const provenIn = new Map<BisectionId, TestRun>()

  /** What the batch of a bisection touched: what it has proven merges as it was tested. */
  const touchedBy = new Map<BisectionId, Touched>()

  const enter = (group: LineGroup, index: number): void => {
    groups.splice(index, 0, group)
    byId.set(group.id, group)
    for (const number of group.members) homes.set(number, group)
    link(group)
    if (group.provenBy !== null) group.touched = touchedBy.get(group.provenBy) ?? 'ALL'
  }
  /** Uploads take effect when a group comes into the line, or starts again. */
  const link = (group: LineGroup | undefined): void => {
    if (group) group.touched = targets.of(group.members)
  }
  const leave = (id: GroupId): void => {
    const group = byId.get(id)
    if (!group) return
    groups.splice(groups.indexOf(group), 1)
    byId.delete(id)
    for (const number of group.members) if (homes.get(number) === group) homes.delete(number)
  }
  const beginBisection = ({ bisection, group }: EventOf<'bisectionStarted'>): void => {
    touchedBy.set(bisection, byId.get(group)?.touched ?? 'ALL')
    leave(group)
  }
  const endBisection = ({ bisection }: EventOf<'bisectionEnded'>): void => {
    provenIn.delete(bisection)
    touchedBy.delete(bisection)
  }
  const start = ({ run }: EventOf<'testRunStarted'>): void => {
    const group = run.owner.kind === 'main' ? byId.get(run.owner.group) : undefined
    if (!group) return
    group.ground = groundOf(group)
    group.stand = 'testing'
    group.run = run
  }
  const groundOf = (group: LineGroup): ReadonlySet<GroupId> => {
    const ground = new Set<GroupId>()
    for (const ahead of groups) {
      if (ahead === group) break
      if (ahead.stand === 'conflicted') continue
      if (shareTarget(ahead.touched, group.touched)) ground.add(ahead.id)
    }
    return ground
  }
  const change = (id: GroupId, how: (group: LineGroup) => void): void => {
    const group = byId.get(id)
    if (group) how(group)
  }
  const advance = ({ group: id, index }: EventOf<'groupAdvanced'>): void => {
    const group = byId.get(id)
    if (!group) return
    groups.splice(groups.indexOf(group), 1)
    groups.splice(index, 0, group)
  }
  const splitOff = ({ group: id, members, into }: EventOf<'groupSplit'>): void => {
    const group = byId.get(id)
    if (!group) return
    group.members = group.members.filter((number) => !members.includes(number))
    const { isUrgent } = group
    link(group)
    const entering = {
      id: into,
      members,
      isUrgent,
      provenBy: null,
      stand: 'waiting',
      run: null,
    } as const
    enter(newGroup(entering), groups.indexOf(group) + 1)
    for (const each of groups) {
      const isOnTop = members.some((number) => each.run?.base.includes(number))
      if (isOnTop && each.ground.has(id)) each.ground = new Set([...each.ground, into])
    }
  }
  const end = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    const group = homes.get(number)
    if (!group) return
    homes.delete(number)
    group.members = group.members.filter((member) => member !== number)
    if (group.merging === number) group.merging = null
    if (to === 'MERGED' && reason !== 'MANUAL_MERGE') group.hasBegun = true
  }

  return {
    groups,
    group: (id) => byId.get(id),
    groupOf: (number) => homes.get(number),
    on: {
      groupPlaced: (event) => enter(placed(event, provenIn), event.index),
      membersProven: ({ bisection, run }) => void provenIn.set(bisection, run),
      bisectionStarted: beginBisection,
      bisectionEnded: endBisection,
      groupSplit: splitOff,
      groupAdvanced: advance,
      groupLinked: ({ group }) => link(byId.get(group)),
      groupLeft: ({ group }) => leave(group),
      pullRequestEnded: end,
      testRunStarted: start,
      groupRestarted({ group, retry }) {
        change(group, (restarted) => {
          restarted.stand = 'waiting'
          restarted.run = null
          restarted.notBefore = retry?.notBefore ?? null
          // What merged of it has merged; the rest begins anew.
          restarted.hasBegun = false
        })
      },
      groupPassed({ group, run }) {
        change(group, (passed) => {
          passed.stand = 'passed'
          passed.run = run
        })
      },
      groupFailed({ group }) {
        change(group, (failed) => {
          failed.stand = 'failed'
        })
      },
      groupConflicted({ group }) {
        change(group, (conflicted) => {
          conflicted.stand = 'conflicted'
          conflicted.run = null
        })
      },
      mergeRequested({ group, number }) {
        change(group, (asked) => {
          asked.merging = number
        })
      },
      mergeRefused({ group }) {
        change(group, (refused) => {
          refused.merging = null
        })
      },
    },
  }
}

/** With what a group comes into the line. */
type Entering = Pick<LineGroup, 'id' | 'isUrgent' | 'provenBy' | 'stand' | 'run'> & {
  readonly members: readonly PullRequestNumber[]
}

function placed(
  { group: id, members, cause, bisection }: EventOf<'groupPlaced'>,
  provenIn: ReadonlyMap<BisectionId, TestRun>,
): LineGroup {
  const provenBy = cause === 'proven' ? bisection : null
  return newGroup({
    id,
    members,
    isUrgent: cause === 'urgent',
    provenBy,
    stand: cause === 'direct merge' || provenBy !== null ? 'passed' : 'waiting',
    run: provenBy === null ? null : (provenIn.get(provenBy) ?? null),
  })
}

const nothing: ReadonlySet<GroupId> = new Set()

function newGroup({ id, members, isUrgent, provenBy, stand, run }: Entering): LineGroup {
  return {
    id,
    members: [...members],
    touched: 'ALL',
    isUrgent,
    provenBy,
    stand,
    ground: nothing,
    run,
    notBefore: null,
    merging: null,
    hasBegun: false,
  }
}
