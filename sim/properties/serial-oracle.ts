/**
 * The serial oracle: a plain queue without predictions, batches or bisections would test one pull
 * request at a time, in order, each on top of those that merged before, and merge it if it passes.
 * What the engine does in addition may save time, and must not change which pull requests merge.
 *
 * Rule: S-46. The order is computed here from submissions and priorities, so a pull request that is
 * skipped or overtaken wrongly shows as a different set of merged pull requests.
 */

import type { EventOf, GroupId, Reason } from '../../engine/index.ts'
import { hasBegunToMerge, isLeftOut, type LineGroup } from '../ledger/line-group.ts'
import { isBelow } from '../ledger/predecessors.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import type { Branch, Truth } from '../world/truth.ts'

/** Merges without a run. */
const unjudged = new Set<Reason | null>(['MANUAL_MERGE', 'MERGE_GRAPH_DIRECT_MERGE'])

type OracleOutcome = 'MERGED' | 'FAILED'

type LinePosition = {
  readonly number: number
  outcome: OracleOutcome | null
  /** The outcome has a cause that a serial queue does not have. */
  isExcused: boolean
}

/**
 * What a serial queue does not have excuses the pull request that it decides, and the oracle goes on
 * from there with the branch as it is: a cancel, a merge that is by hand, without a run or refused,
 * one that conflicts with it or breaks it and merged while it waited for a third, a run that flaked,
 * timed out or was lost, a successor that cleared it, a branch that was broken before or changed during
 * its merge, a clash between lanes. Once the branch has failed by itself (E-232) or a push has mended it,
 * nothing is compared, nor once the quarantine has changed. Lanes do not change which pull requests merge, only when: those that affect each other
 * share a target and so keep their order.
 *
 * With batching it judges each pull request by itself and leaves out those that break or mend
 * others, because survivors of a bisection lose their place. So does a single pull request that is
 * bisected, with conviction by odds.
 */
export const serialOracle: Property = {
  name: 'serial-oracle',
  sentence:
    'The pull requests that merge are those that a queue would merge if it tested one at a time, in order.',
  watch({ check, leaveOut, ledger, truth, knowsTruth }) {
    if (!knowsTruth) return null
    const { waiting, settings, conflicts, places, brokenBases, laneClashes } = ledger
    const branch = truth.emptyBranch()
    const nothing = truth.emptyBranch()
    /** The pull requests that have started, in serial order, from the first without an outcome. */
    const order = emptyOrder(truth)
    /** Started although others were next: they have no place in the serial order. */
    const overtaking = new Set<number>()
    /** Refused by the code host in this command. */
    let refused: number | null = null

    const detour = detourOf(ledger.trueBranch)

    const addToLine = ({ group: id, members, cause }: EventOf<'groupPlaced'>): void => {
      const next = waiting.first(members.length).map(({ number }) => {
        return { number, outcome: null, isExcused: false }
      })
      const below = members.flatMap((number) => waiting.find(number)?.dependsOn ?? [])
      const missing = below.filter((number) => !ledger.trueBranch.holds(number))
      const passed = cause === 'urgent' ? passedBy(id, missing, ledger.line.groups) : []
      const behind = takeOut(order, passed)
      order.push(...next, ...behind)
      for (const number of members) {
        if (next.every((each) => each.number !== number)) overtaking.add(number)
      }
    }
    const hasLanes = (): boolean => settings.configuration.mode === 'parallel'
    const conflictsOnBranch = (number: number): number[] =>
      [...conflicts.of(number)].filter(
        (other) => ledger.trueBranch.holds(other) && truth.conflict(number, other),
      )
    const serially = (number: number): OracleOutcome => {
      const isApart = conflictsOnBranch(number).some((other) => branch.holds(other))
      return isApart || branch.wouldBreak([number]) ? 'FAILED' : 'MERGED'
    }
    const byItself = (number: number, outcome: OracleOutcome): OracleOutcome => {
      const rivals = outcome === 'FAILED' ? conflictsOnBranch(number) : []
      const isApart = rivals.some((other) => !places.isAhead(number, other))
      return isApart || nothing.wouldBreak([number]) ? 'FAILED' : 'MERGED'
    }
    const compare = (
      number: number,
      actual: OracleOutcome,
      expected: OracleOutcome,
      point: Point,
    ): void => {
      check(actual === expected, point, () => ({
        story: `Pull request ${number} ${actual === 'MERGED' ? 'merged' : 'FAILED'}, but in a queue that tests one at a time it would have ${expected === 'MERGED' ? 'merged' : 'FAILED'}.`,
        pullRequests: [number],
      }))
    }
    /** Compares those whose place in the serial order has come. */
    const settle = (point: Point): void => {
      if (order.length === 0) return
      const known = order.findIndex((each) => each.outcome === null)
      for (const each of order.splice(0, known === -1 ? order.length : known)) {
        const { number, outcome } = each
        const isOtherList = ledger.quarantine.hasChanged(point.at)
        const isUnclear = isOtherList || detour.isTaken() || (hasLanes() && branch.isBroken)
        if (each.isExcused || !outcome || isUnclear) leaveOut()
        else compare(number, outcome, serially(number), point)
        if (outcome === 'MERGED') branch.add(number)
      }
    }
    const isExcused = (event: EventOf<'pullRequestMoved'>): boolean => {
      const { number, to, reason, evidence } = event
      if (laneClashes.has(number) || wasPassedByRelative(number)) return true
      if (to === 'MERGED')
        return unjudged.has(reason) || brokenBases.isCleared(number) || isDisturbed(number)
      if (refused === number) return true
      if (reason === 'START_TEST_RUN_MERGE_CONFLICT') return wasPassedBy(number)
      const record = ledger.runs.find(evidence?.failedIn ?? null)
      const isProof = record?.outcome === 'failed' && !record.isFlake
      return !isProof || laneClashes.isIn(record.run) || brokenBases.isBelow(record)
    }
    /** Whether all that it conflicts with merged past it while it waited for one that it conflicted with. */
    const wasPassedBy = (number: number): boolean => {
      const rivals = conflictsOnBranch(number)
      return rivals.length > 0 && rivals.every((other) => places.wasLeftOut(number, other))
    }
    /** Whether one that can break or fix it merged past it in the meantime (E-67). */
    const wasPassedByRelative = (number: number): boolean =>
      truth
        .relativesOf(number)
        .some((other) => ledger.trueBranch.holds(other) && places.wasLeftOut(number, other))
    const isDisturbed = (number: number): boolean => {
      const group = ledger.line.groupOf(number)
      return group !== undefined && ledger.disturbed.has(group.id)
    }
    /** It did not merge in the serial order: what has an outcome already was decided without it. */
    const mergeOutOfOrder = (number: number): void => {
      for (const each of order) each.isExcused ||= each.outcome !== null
      branch.add(number)
    }
    const conclude = (event: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { number, reason } = event
      const outcome = event.to === 'MERGED' ? 'MERGED' : 'FAILED'
      const isPardoned = isExcused(event)
      const found = order.find((each) => each.number === number && each.outcome === null)
      if (found && !unjudged.has(reason) && !wasPassedByRelative(number)) {
        found.outcome = outcome
        found.isExcused = isPardoned
      } else if (!overtaking.delete(number)) {
        const isOtherList = ledger.quarantine.hasChanged(point.at)
        if (isPardoned || isOtherList || detour.isTaken() || isEntangled(truth, number)) leaveOut()
        else compare(number, outcome, byItself(number, outcome), point)
        if (found) order.splice(order.indexOf(found), 1)
        if (outcome === 'MERGED') mergeOutOfOrder(number)
      }
      settle(point)
    }

    return {
      on: {
        groupPlaced(event) {
          const { cause } = event
          const isNew = cause === 'formed' || cause === 'urgent'
          if (isNew && !settings.configuration.batch) addToLine(event)
        },
        tipTested: detour.tipTested,
        groupRestarted({ group, reason }, point) {
          if (goBehind(order, ledger.line.group(group), reason)) settle(point)
        },
        bisectionStarted({ members }, point) {
          if (takeOut(order, members).length > 0) settle(point)
        },
        mergeRefused: ({ number }) => void (refused = number),
        pullRequestEnded(event, point) {
          const { number, to } = event
          if (to !== 'CANCELLED') {
            conclude(event, point)
            return
          }
          overtaking.delete(number)
          if (takeOut(order, [number]).length === 0) return
          leaveOut()
          settle(point)
        },
      },
      atCommand() {
        refused = null
      },
    }
  },
}

/** What made one fail that comes again may not be true any more when its place comes. */
function emptyOrder(truth: Truth): LinePosition[] {
  const order: LinePosition[] = []
  truth.beforeRenewal((number) => {
    for (const each of order) each.isExcused ||= each.number === number
  })
  return order
}

/** Removes those of the pull requests that have no outcome yet from the order, and returns them. */
function takeOut(order: LinePosition[], numbers: readonly number[]): LinePosition[] {
  const isTaken = ({ number, outcome }: LinePosition): boolean =>
    outcome === null && numbers.includes(number)
  const taken = order.filter(isTaken)
  const left = order.filter((each) => !isTaken(each))
  order.splice(0, order.length, ...left)
  return taken
}

/**
 * A group that restarts goes on behind those that went on without it: behind all if it had stepped aside, and behind
 * those that are decided if it waited for its stack. Those that wait for it in turn stay behind it.
 */
function goBehind(order: LinePosition[], group: LineGroup | undefined, reason: Reason): boolean {
  const isFreed = group?.status === 'conflicted' && reason === 'MERGE_ITEM_NOW_READY'
  if (!group || (group.status !== 'aside' && !isFreed)) return false
  const first = order.findIndex(({ number }) => group.members.includes(number))
  if (first === -1) return false
  const wentOn = ({ number, outcome }: LinePosition): boolean =>
    outcome !== null || !(isFreed || group.members.includes(number))
  const rest = order.splice(first)
  order.push(...rest.filter(wentOn), ...rest.filter((each) => !wentOn(each)))
  return true
}

/** It breaks or mends together with others. */
const isEntangled = (truth: Truth, number: number): boolean =>
  truth.relativesOf(number).some((other) => !truth.conflict(number, other))

/** A branch that was broken or mended by itself goes other ways than the oracle knows. */
function detourOf(trueBranch: Branch) {
  let hasFailed = false
  return {
    isTaken: (): boolean => hasFailed || trueBranch.wasMended,
    tipTested: ({ failure }: EventOf<'tipTested'>): void => {
      hasFailed ||= failure !== null
    },
  }
}

/**
 * All but earlier urgent ones, those whose merging has begun, what the urgent one depends on, and the predecessors
 * of these (E-35, E-263).
 */
function passedBy(
  urgent: GroupId,
  below: readonly number[],
  groups: readonly LineGroup[],
): number[] {
  const staying: LineGroup[] = []
  const staysAhead = (group: LineGroup): boolean =>
    group.isUrgent ||
    hasBegunToMerge(group) ||
    group.members.some((number) => below.includes(number)) ||
    (!isLeftOut(group) && staying.some((each) => isBelow(each, group)))
  const passed: number[] = []
  for (const group of groups.toReversed()) {
    if (group.id === urgent) continue
    if (staysAhead(group)) staying.push(group)
    else passed.push(...group.members)
  }
  return passed
}
