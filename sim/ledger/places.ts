/**
 * Who came first: the place of each pull request that has started, and of those on the branch. Of
 * two that conflict as text the first one merges.
 *
 * A place is kept in the line, through restarts and splits. A bisection takes it away: its survivors
 * return at the end of the line (E-89). So does a restart after stepping aside (E-194).
 */

import type { EventOf, GroupId, PullRequestNumber } from '../../engine/index.ts'
import type { Truth } from '../world/truth.ts'
import type { Line } from './line.ts'
import type { Projection } from './projection.ts'

export type Places = Projection & {
  /**
   * Whether a pull request in the queue has a place ahead of one that is on the branch. False if one
   * of them has lost its place, if the other one had merged when this one started, or if this one was
   * left out when the other one merged.
   */
  isAhead(number: PullRequestNumber, landed: PullRequestNumber): boolean
  /**
   * Whether the one on the branch started or merged while the other was left out of the compositions
   * behind it, because of a text conflict with one that had not merged (E-67).
   */
  wasLeftOut(number: PullRequestNumber, landed: PullRequestNumber): boolean
}

type Place = {
  readonly isUrgent: boolean
  /** The place of its group towards urgent ones: by the time of its start, below zero if it is urgent. */
  readonly group: number
  /** How often it has left a batch because of a conflict: it then goes behind that batch. */
  readonly departures: number
  /** Its place among those that started with it. */
  readonly index: number
  /** How many groups had entered the line when it started. */
  readonly startedAt: number
}

type LandedPlace = {
  readonly place: Place
  readonly landedAt: number
}

/** Larger than any number of groups. */
const urgentAhead = 2 ** 40

/** Reads the line as it was before an event, so it is updated before the line. */
export function places(line: Line, conflicts: ReportedConflicts): Places {
  /** Null once it has lost its place: it is in the queue, and was left out before or can be still. */
  const current = new Map<PullRequestNumber, Place | null>()
  /** The places at their merge, of those that conflict with another one. */
  const landed = new Map<PullRequestNumber, LandedPlace>()
  /** Has been in a bisection since its start. */
  const displaced = new Set<PullRequestNumber>()
  /** Those that were left out when a run of this one started, or when it merged. */
  const passed = new Map<PullRequestNumber, Set<PullRequestNumber>>()
  /** Groups that have had a text conflict; few are left out still. */
  const conflicted = new Set<GroupId>()
  let groups = 0

  const enter = ({ members, cause, index: at }: EventOf<'groupPlaced'>): void => {
    if (cause === 'proven' || cause === 'direct merge') return
    const startedAt = groups++
    const isUrgent = cause === 'urgent'
    const group = isUrgent ? startedAt - urgentAhead : startedAt
    if (isUrgent) keepAhead(at, group)
    for (const [index, number] of members.entries()) {
      current.set(number, { isUrgent, group, departures: 0, index, startedAt })
      displaced.delete(number)
    }
  }
  /**
   * The groups that stay ahead of an urgent one get places just ahead of it, in their order. One that stayed ahead of
   * an earlier one, and is behind this one, has its own place again.
   */
  const keepAhead = (count: number, urgent: number): void => {
    for (const [index, { members }] of line.groups.slice(0, count).entries()) {
      const group = urgent - (count - index) / (count + 1)
      for (const number of members) {
        const known = current.get(number)
        if (known) current.set(number, { ...known, group })
      }
    }
    for (const number of line.groups.slice(count).flatMap(({ members }) => members)) {
      const known = current.get(number)
      if (known && known.group < urgent) current.set(number, { ...known, group: known.startedAt })
    }
  }
  const split = ({ members, cause }: EventOf<'groupSplit'>): void => {
    for (const number of members) {
      const known = current.get(number)
      // Members split off for another cause are behind the others anyway.
      if (known && cause === 'conflict')
        current.set(number, { ...known, departures: known.departures + 1 })
    }
  }
  const pass = (numbers: readonly PullRequestNumber[]): void => {
    for (const id of conflicted) {
      const group = line.group(id)
      if (group?.status !== 'conflicted') {
        conflicted.delete(id)
        continue
      }
      for (const number of numbers) {
        const leftOut = passed.get(number) ?? new Set()
        for (const member of group.members) leftOut.add(member)
        passed.set(number, leftOut)
      }
    }
  }
  const end = ({ number, to, reason }: EventOf<'pullRequestMoved'>): void => {
    const place = current.get(number)
    current.delete(number)
    displaced.delete(number)
    if (to !== 'MERGED') {
      passed.delete(number)
      return
    }
    pass([number])
    if (conflicts.of(number).size === 0) return
    // A person may merge in any order.
    if (place && reason !== 'MANUAL_MERGE') landed.set(number, { place, landedAt: groups })
    else landed.delete(number)
  }

  const wasLeftOut = (number: PullRequestNumber, other: PullRequestNumber): boolean =>
    current.has(number) && passed.get(other)?.has(number) === true

  return {
    wasLeftOut,
    isAhead(number, other) {
      const place = current.get(number)
      const rival = landed.get(other)
      if (!place || !rival || displaced.has(number) || wasLeftOut(number, other)) return false
      return rival.landedAt > place.startedAt && isBefore(place, rival.place)
    },
    on: {
      groupPlaced: enter,
      groupSplit: split,
      bisectionStarted({ members }) {
        for (const number of members) displaced.add(number)
      },
      groupConflicted: ({ group }) => void conflicted.add(group),
      testRunStarted: ({ run }) => pass(run.tested),
      // It may be the last in the line already, and then nothing says that it has moved.
      groupRestarted({ group }) {
        const restarted = line.group(group)
        if (restarted?.status !== 'aside') return
        for (const number of restarted.members) current.set(number, null)
      },
      // It has moved past others in its lane, because its merging has begun.
      groupMoved({ group }) {
        for (const number of line.group(group)?.members ?? []) current.set(number, null)
      },
      pullRequestEnded: end,
    },
  }
}

/**
 * An urgent one changes no order among the others (E-263): who stays ahead of it started behind those
 * that are in a bisection.
 */
function isBefore(a: Place, b: Place): boolean {
  const byGroup = a.isUrgent || b.isUrgent ? a.group - b.group : a.startedAt - b.startedAt
  return (byGroup || a.departures - b.departures || a.index - b.index) < 0
}

/**
 * Which pull requests conflict as text, as the code host has reported; or, if only a build finds it,
 * as they do in truth.
 */
export type ReportedConflicts = Projection & {
  of(number: PullRequestNumber): ReadonlySet<PullRequestNumber>
}

const none: ReadonlySet<PullRequestNumber> = new Set()

export function reportedConflicts(inTruth: Truth | null): ReportedConflicts {
  const reported = new Map<PullRequestNumber, Set<PullRequestNumber>>()
  const add = (number: PullRequestNumber, other: PullRequestNumber): void => {
    const known = reported.get(number)
    if (known) known.add(other)
    else reported.set(number, new Set([other]))
  }
  return {
    of: (number) => reported.get(number) ?? none,
    on: {
      pullRequestSubmitted({ number }) {
        for (const other of inTruth?.relativesOf(number) ?? []) {
          if (!inTruth?.conflict(number, other)) continue
          add(number, other)
          add(other, number)
        }
      },
      pullRequestReported({ number, conflictsWith = [] }) {
        for (const other of conflictsWith) {
          add(number, other)
          add(other, number)
        }
      },
    },
  }
}
