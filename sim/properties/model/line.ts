/** The groups that have started and not left, in order, as the events tell it. */

import type {
  BisectionId,
  Event,
  EventOf,
  GroupId,
  Millis,
  PullRequestNumber,
  TestRun,
} from '../../../engine/index.ts'
import type { Book } from './book.ts'
import { isTerminal } from './states.ts'
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
  const takeGround = ({ run: { owner } }: EventOf<'testRunStarted'>): void => {
    const group = owner.kind === 'main' ? byId.get(owner.group) : undefined
    if (!group) return
    const ahead = groups.slice(0, groups.indexOf(group))
    const below = ahead.filter(
      (each) => each.stand !== 'conflicted' && shareTarget(each.touched, group.touched),
    )
    group.ground = new Set(below.map(({ id }) => id))
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
    enter(newGroup({ id: into, members, isUrgent }), groups.indexOf(group) + 1)
    for (const each of groups) {
      const isOnTop = members.some((number) => each.run?.base.includes(number))
      if (isOnTop && each.ground.has(id)) each.ground = new Set([...each.ground, into])
    }
  }
  const move = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    const group = homes.get(number)
    if (!group || !isTerminal(to)) return
    homes.delete(number)
    group.members = group.members.filter((member) => member !== number)
    if (group.merging === number) group.merging = null
    if (to === 'MERGED' && reason !== 'MANUAL_MERGE') group.hasBegun = true
  }

  return {
    groups,
    group: (id) => byId.get(id),
    groupOf: (number) => homes.get(number),
    see(event: Event) {
      if (event.type === 'groupPlaced') enter(placed(event, provenIn), event.index)
      else if (event.type === 'membersProven') provenIn.set(event.bisection, event.run)
      else if (event.type === 'bisectionEnded') endBisection(event)
      else if (event.type === 'groupSplit') splitOff(event)
      else if (event.type === 'groupAdvanced') advance(event)
      else if (event.type === 'groupLinked') link(byId.get(event.group))
      else if (event.type === 'groupLeft') leave(event.group)
      else if (event.type === 'bisectionStarted') beginBisection(event)
      else if (event.type === 'pullRequestMoved') move(event)
      else {
        if (event.type === 'testRunStarted') takeGround(event)
        takeStand(byId, event)
      }
    },
  }
}

/** What an event says about how one group stands. */
function takeStand(byId: ReadonlyMap<GroupId, LineGroup>, event: Event): void {
  if (event.type === 'testRunStarted') {
    const { owner } = event.run
    if (owner.kind === 'main') stand(byId.get(owner.group), { stand: 'testing', run: event.run })
  } else if (event.type === 'groupRestarted') {
    const notBefore = event.retry?.notBefore ?? null
    // What merged of it has merged; the rest begins anew.
    stand(byId.get(event.group), { stand: 'waiting', run: null, notBefore, hasBegun: false })
  } else if (event.type === 'groupPassed') {
    stand(byId.get(event.group), { stand: 'passed', run: event.run })
  } else if (event.type === 'groupFailed') {
    stand(byId.get(event.group), { stand: 'failed' })
  } else if (event.type === 'groupConflicted') {
    stand(byId.get(event.group), { stand: 'conflicted', run: null })
  } else if (event.type === 'mergeRequested') {
    stand(byId.get(event.group), { merging: event.number })
  } else if (event.type === 'mergeRefused') {
    stand(byId.get(event.group), { merging: null })
  }
}

function stand(group: LineGroup | undefined, stands: Partial<LineGroup>): void {
  if (group) Object.assign(group, stands)
}

function placed(
  { group: id, members, cause, bisection }: EventOf<'groupPlaced'>,
  provenIn: ReadonlyMap<BisectionId, TestRun>,
): LineGroup {
  const group = newGroup({ id, members, isUrgent: cause === 'urgent' })
  if (cause === 'direct merge') return { ...group, stand: 'passed' }
  if (cause !== 'proven' || bisection === null) return group
  const run = provenIn.get(bisection) ?? null
  return { ...group, provenBy: bisection, stand: 'passed', run }
}

function newGroup(
  made: Pick<LineGroup, 'id' | 'isUrgent'> & { members: readonly PullRequestNumber[] },
): LineGroup {
  return {
    ...made,
    members: [...made.members],
    touched: 'ALL',
    provenBy: null,
    stand: 'waiting',
    ground: new Set(),
    run: null,
    notBefore: null,
    merging: null,
    hasBegun: false,
  }
}
