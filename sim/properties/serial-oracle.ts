/**
 * The serial oracle: a plain queue without predictions, batches or bisections would test one pull
 * request at a time, in order, each on top of those that merged before, and merge it if it passes.
 * What the engine does in addition may save time, and must not change which pull requests merge.
 *
 * Rule: S-46. The order is that in which pull requests start: that nobody is skipped or overtaken
 * wrongly, the model checks.
 */

import { groupWith, isLeftOut } from '../../engine/index.ts'
import type { EventOf, GroupView, PullRequestNumber, Reason } from '../../engine/index.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/step.ts'
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
 * one that conflicts with it or breaks it and merged after it had waited for a third, a run that flaked,
 * timed out or was lost, a successor that cleared it, a branch that was broken before or changed during
 * its merge, a clash between lanes, a text conflict with one on the branch of which either was forgotten.
 * Once the branch has failed by itself (E-232) or a push has mended it, nothing is compared, nor once the
 * quarantine has changed. Lanes do not change which pull requests merge, only when: those that affect each
 * other share a target and so keep their order.
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
    const { queue, brokenBases, laneClashes } = ledger
    const branch = truth.emptyBranch()
    const nothing = truth.emptyBranch()
    /** The pull requests that have started, in serial order, from the first without an outcome. */
    const order = emptyOrder(truth)
    /** Those that started or merged while this one waited in the line for one that it conflicts with. */
    const wentPast = new Map<PullRequestNumber, Set<PullRequestNumber>>()
    const forgotten = new Set<PullRequestNumber>()
    /** Refused by the code host in this command. */
    let refused: number | null = null

    const detour = detourOf(ledger.trueBranch)

    /** Those behind an urgent one go on behind it: its groups are placed ahead of theirs. */
    const addToLine = ({ members, index }: EventOf<'groupPlaced'>): void => {
      const ids = queue.line.slice(index)
      const behind = takeOut(
        order,
        ids.flatMap((id) => queue.groups[id]?.members ?? []),
      )
      const next = members.map((number) => ({ number, outcome: null, isExcused: false }))
      order.push(...next, ...behind)
    }
    const goPast = (others: readonly PullRequestNumber[]): void => {
      for (const id of queue.phases.conflicted) {
        for (const number of queue.groups[id]?.members ?? []) addAll(wentPast, number, others)
      }
    }
    const hasLanes = (): boolean => queue.configuration.mode === 'parallel'
    const conflictsOnBranch = (number: number): number[] =>
      truth
        .relativesOf(number)
        .filter((other) => ledger.trueBranch.holds(other) && truth.conflict(number, other))
    /** What was reported is forgotten (E-211), and the branch still has what it was about. */
    const hasForgottenConflict = (number: number): boolean =>
      conflictsOnBranch(number).some((other) => forgotten.has(other) || forgotten.has(number))
    const serially = (number: number): OracleOutcome => {
      const isApart = conflictsOnBranch(number).some((other) => branch.holds(other))
      return isApart || branch.wouldBreak([number]) ? 'FAILED' : 'MERGED'
    }
    const byItself = (number: number, outcome: OracleOutcome): OracleOutcome => {
      const isApart = outcome === 'FAILED' && conflictsOnBranch(number).length > 0
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
      const { number, to, reason } = event
      if (laneClashes.has(number) || wasPassedByRelative(number)) return true
      if (hasForgottenConflict(number)) return true
      if (to === 'MERGED')
        return (
          unjudged.has(reason) ||
          brokenBases.isCleared(number) ||
          ledger.disturbed.has(groupWith(queue, number)?.id ?? 0)
        )
      return (
        refused === number ||
        (reason !== 'START_TEST_RUN_MERGE_CONFLICT' && !isProven(ledger, event))
      )
    }
    /** Whether one that conflicts with it, or can break or fix it, has merged past it (E-67). */
    const wasPassedByRelative = (number: number): boolean =>
      truth
        .relativesOf(number)
        .some((other) => ledger.trueBranch.holds(other) && wentPast.get(number)?.has(other))
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
      } else {
        const isOtherList = ledger.quarantine.hasChanged(point.at)
        if (isPardoned || isOtherList || detour.isTaken() || isEntangled(truth, number)) leaveOut()
        else compare(number, outcome, byItself(number, outcome), point)
        if (found) order.splice(order.indexOf(found), 1)
        if (outcome === 'MERGED') mergeOutOfOrder(number)
      }
      settle(point)
    }
    const cancel = (number: number, point: Point): void => {
      if (takeOut(order, [number]).length === 0) return
      leaveOut()
      settle(point)
    }

    return {
      on: {
        groupPlaced(event) {
          const { cause } = event
          const isNew = cause === 'formed' || cause === 'urgent'
          if (isNew && !queue.configuration.batch) addToLine(event)
        },
        testRunStarted: ({ run }) => goPast(run.tested),
        tipTested: detour.tipTested,
        groupRestarted({ group, reason }, point) {
          if (goBehind(order, queue.groups[group], reason)) settle(point)
        },
        bisectionStarted({ members }, point) {
          if (takeOut(order, members).length > 0) settle(point)
        },
        pullRequestForgotten: ({ number }) => void forgotten.add(number),
        mergeRefused: ({ number }) => void (refused = number),
        pullRequestEnded(event, point) {
          const { number, to } = event
          if (to === 'CANCELLED') cancel(number, point)
          else conclude(event, point)
          wentPast.delete(number)
          if (to === 'MERGED') goPast([number])
        },
      },
      atCommand() {
        refused = null
      },
    }
  },
}

function addAll<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, values: readonly Value[]): void {
  const known = sets.get(key) ?? new Set()
  for (const value of values) known.add(value)
  sets.set(key, known)
}

/** Whether the run for which it FAILED shows that it breaks its base. */
function isProven(ledger: Ledger, { evidence }: EventOf<'pullRequestMoved'>): boolean {
  const { run, outcome, isFlake } = ledger.run(evidence?.failedIn) ?? {}
  const hasFailed = run && outcome === 'failed' && !isFlake
  return hasFailed === true && !ledger.laneClashes.isIn(run) && !ledger.brokenBases.isBelow(run)
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
function goBehind(order: LinePosition[], group: GroupView | undefined, reason: Reason): boolean {
  if (!group || !isLeftOut(group)) return false
  const isFreed = group.phase.kind === 'conflicted'
  if (isFreed && reason !== 'MERGE_ITEM_NOW_READY') return false
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
