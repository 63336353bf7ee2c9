import type { EventOf } from '../../engine/index.ts'
import type { LineGroup } from './model/line.ts'
import { isSame } from './model/same.ts'
import { shareTarget, type Targets } from './model/targets.ts'
import { comesBefore, type WaitingRoom } from './model/waiting-room.ts'
import type { Property } from './property.ts'
import { listed, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/**
 * Spec, "Order and starting" and "Bisection" (survivors): who starts next, and where in the line.
 * A batch takes pull requests contiguously in order, goes behind what is in the line, and not
 * before a restarted group; an urgent one goes to the head.
 */
export const startsInOrder: Property = {
  name: 'starts-in-order',
  sentence:
    'Pull requests start by priority and then submission, none skipped, behind what is in the line; urgent ones at its head.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)

    const isBeside = (members: readonly number[]): boolean => {
      const touched = books.targets.of(members)
      const others = [...books.line.groups, ...books.bisections.all.values()]
      return !others.some((other) => shareTarget(other.touched, touched))
    }
    const faultOfPlace = (event: EventOf<'groupPlaced'>, at: number): string | null => {
      const { cause, index, members } = event
      const { groups } = books.line
      if (cause === 'urgent') return faultOfUrgent(groups, index)
      if (cause === 'proven') return null
      if (index !== groups.length) {
        return `at place ${index}, where ${groups.length} is behind what is in the line`
      }
      if (cause === 'survivors') return null
      if (cause === 'direct merge') return isBeside(members) ? null : 'with somebody ahead'
      const restarted = groups.find((group) => isDue(group, at))
      if (!restarted) return null
      return `while the restarted ${pullRequests(restarted.members)} waited for a run`
    }
    const faultOfOrder = (members: readonly number[]): string | null => {
      if (books.settings.configuration.mode === 'parallel') {
        const { room, targets } = books
        return room.pending > waitingAtMost ? null : faultInLanes(members, room, targets)
      }
      const next = books.room.first(members.length).map(({ number }) => number)
      return isSame(next, members) ? null : `where next in order were ${listed(next)}`
    }

    return watcher(setting, {
      on: {
        groupPlaced(event, seen) {
          const { group, cause, members } = event
          const tell = (fault: string | null) => () => ({
            story: `Group ${group} of ${pullRequests(members)} came into the line (${cause}) ${fault ?? ''}.`,
            pullRequests: members,
          })
          const misplaced = faultOfPlace(event, seen.at)
          judge(misplaced === null, seen, tell(misplaced))
          if (cause === 'survivors' || cause === 'proven') return
          const outOfOrder = faultOfOrder(members)
          judge(outOfOrder === null, seen, tell(outOfOrder))
        },
      },
    })
  },
}

/** Lanes are looked through only while no more wait: it takes a look at each. */
const waitingAtMost = 1000

/**
 * Spec, "Parallel mode" (how a batch is filled): whoever joins shares a target with somebody who
 * has, and with nobody ahead who has not.
 */
function faultInLanes(
  members: readonly number[],
  room: WaitingRoom,
  targets: Targets,
): string | null {
  const [first, ...others] = members
  if (first === undefined) return null
  const joined = [first]
  for (const number of others) {
    const isJoining = shareTarget(targets.of(joined), targets.of([number]))
    if (!isJoining) return `though ${number} shares no target with ${listed(joined)}`
    joined.push(number)
  }
  for (const skipped of room.everybody()) {
    if (skipped.pendingSince === null || members.includes(skipped.number)) continue
    const overtaking = members.find((number) => {
      const member = room.find(number)
      const isBehind = member !== undefined && comesBefore(skipped, member) < 0
      return isBehind && shareTarget(targets.of([number]), targets.of([skipped.number]))
    })
    if (overtaking !== undefined) return `with ${overtaking} ahead of ${skipped.number}`
  }
  return null
}

/** Right behind earlier urgents and a group whose merging has begun. */
function faultOfUrgent(groups: readonly LineGroup[], index: number): string | null {
  const place = groups.findLastIndex(staysAhead) + 1
  return index === place ? null : `at place ${index}, where ${place} is the head of the line`
}

function staysAhead({ isUrgent, merging, hasBegun }: LineGroup): boolean {
  return isUrgent || merging !== null || hasBegun
}

/** Whether a group waits for a run and nothing keeps it but a free slot. */
function isDue({ stand, notBefore }: LineGroup, at: number): boolean {
  return stand === 'waiting' && (notBefore === null || notBefore <= at)
}
