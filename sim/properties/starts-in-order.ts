import type { EventOf } from '../../engine/index.ts'
import type { LineGroup } from '../ledger/line-group.ts'
import { isSame } from '../ledger/same.ts'
import { shareTarget, type Targets } from '../ledger/targets.ts'
import { comesBefore, startsAlone, type WaitingList } from '../ledger/waiting-list.ts'
import { dueRunOf } from '../ledger/screening.ts'
import type { Property } from '../observe/property.ts'
import { listed, pullRequests } from './wording.ts'

/**
 * Rules: E-22, E-26, E-30, E-32, E-34, E-35, E-69, E-89. Which pull request starts next, and where
 * in the line. A batch takes pull requests in order, except those that are tested alone, goes to the
 * end of the line, and does not start before a restarted group. An urgent pull request goes to the head. A part of a batch stays
 * behind it, and those that leave it because of a text conflict keep their order.
 */
export const startsInOrder: Property = {
  name: 'starts-in-order',
  sentence:
    'Pull requests start in order of priority and then submission, none is skipped, and they enter at the end of the line; urgent ones at its head, and those split from a batch behind it in order.',
  watch({ check, ledger }) {
    const isConcurrent = (members: readonly number[]): boolean => {
      const touched = ledger.targets.of(members)
      const others = [...ledger.line.groups, ...ledger.bisections.all.values()]
      return !others.some((other) => shareTarget(other.touched, touched))
    }
    const faultOfPosition = (event: EventOf<'groupPlaced'>, at: number): string | null => {
      const { cause, index, members } = event
      const { groups } = ledger.line
      if (cause === 'urgent') return faultOfUrgent(groups, index)
      if (cause === 'proven') return null
      if (index !== groups.length) {
        return `at place ${index}, but ${groups.length} is the end of the line`
      }
      if (cause === 'survivors') return null
      if (cause === 'direct merge')
        return isConcurrent(members) ? null : 'although others that share a target are ahead'
      const restarted = groups.find(
        (group) => isDue(group, at) && dueRunOf(ledger, group) !== 'nothing',
      )
      if (!restarted) return null
      return `while the restarted ${pullRequests(restarted.members)} waited for a run`
    }
    const faultOfOrder = (members: readonly number[]): string | null => {
      if (ledger.settings.configuration.mode === 'parallel') {
        const { waiting, targets } = ledger
        return waiting.pending > waitingAtMost ? null : faultInLanes(members, waiting, targets)
      }
      const next = nextInOrder(members.length, ledger.waiting)
      return isSame(next, members) ? null : `but next in order were ${listed(next)}`
    }

    return {
      on: {
        groupPlaced(event, point) {
          const { group, cause, members } = event
          const describe = (fault: string | null) => () => ({
            story: `Group ${group} of ${pullRequests(members)} entered the line (${cause}) ${fault ?? ''}.`,
            pullRequests: members,
          })
          const misplaced = faultOfPosition(event, point.at)
          check(misplaced === null, point, describe(misplaced))
          if (cause === 'survivors' || cause === 'proven') return
          const outOfOrder = faultOfOrder(members)
          check(outOfOrder === null, point, describe(outOfOrder))
        },
        groupSplit(event, point) {
          const { group, members, index } = event
          const expected = ledger.parts.indexOf(event)
          check(index === expected, point, () => ({
            story: `${pullRequests(members)} left group ${group} for place ${index} of the line, but in order the place is ${expected}.`,
            pullRequests: members,
          }))
        },
      },
    }
  },
}

/**
 * The order in lanes is checked only while no more pull requests wait: the check looks at each of
 * them.
 */
const waitingAtMost = 1000

/** Rules: E-30, E-32. Those that are tested alone start as a group of one, and a batch ends at them. */
function nextInOrder(count: number, waiting: WaitingList): number[] {
  const next = waiting.first(count)
  const alone = next.findIndex(startsAlone)
  const end = alone === -1 ? next.length : Math.max(alone, 1)
  return next.slice(0, end).map(({ number }) => number)
}

/**
 * Rules: E-97, E-121. A pull request that joins shares a target with one that has joined, and with none
 * ahead of it that has not.
 */
function faultInLanes(
  members: readonly number[],
  waiting: WaitingList,
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
  for (const skipped of waiting.all()) {
    if (skipped.pendingSince === null || members.includes(skipped.number)) continue
    const overtaking = members.find((number) => {
      const member = waiting.find(number)
      const isBehind = member !== undefined && comesBefore(skipped, member) < 0
      return isBehind && shareTarget(targets.of([number]), targets.of([skipped.number]))
    })
    if (overtaking !== undefined)
      return `with ${overtaking}, which shares a target with ${skipped.number} and comes after it`
  }
  return null
}

/** Behind earlier urgent groups and groups whose merging has begun. */
function faultOfUrgent(groups: readonly LineGroup[], index: number): string | null {
  const position = groups.findLastIndex(staysAhead) + 1
  return index === position ? null : `at place ${index}, but ${position} is the head of the line`
}

function staysAhead({ isUrgent, merging, isPartlyMerged }: LineGroup): boolean {
  return isUrgent || merging.length > 0 || isPartlyMerged
}

/** Whether a group waits for a run and needs only a free slot. */
function isDue({ status, notBefore }: LineGroup, at: number): boolean {
  return status === 'waiting' && (notBefore === null || notBefore <= at)
}
