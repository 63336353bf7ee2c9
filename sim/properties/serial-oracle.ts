/**
 * The serial oracle: a plain queue without predictions, batches or bisections would test one pull
 * request at a time, in order, each on top of those that merged before, and merge it if it passes.
 * What the engine does in addition may save time, and must not change which pull requests merge.
 *
 * Rule: S-46. The order is computed here from submissions and priorities, so a pull request that is
 * skipped or overtaken wrongly shows as a different set of merged pull requests.
 */

import type { EventOf, Reason, TestRunId } from '../../engine/index.ts'
import type { LineGroup } from '../ledger/line.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'

/** Merges without a run. */
const unjudged = new Set<Reason | null>(['MANUAL_MERGE', 'MERGE_GRAPH_DIRECT_MERGE'])

type OracleOutcome = 'MERGED' | 'FAILED'

type LinePosition = {
  readonly number: number
  readonly isUrgent: boolean
  outcome: OracleOutcome | null
}

/**
 * It applies until something happens that a serial queue does not have: a cancel, a push, a merge
 * that is by hand, without a run or refused, optimistic merging, a switch to batching. Lanes do not
 * change which pull requests merge, only when: those that affect each other share a target and so
 * keep their order. It ends once two have started that do not share one. With batching it judges
 * each pull request by itself, because survivors lose their place, and only as long as every run
 * ends as it would if pull requests broke only by themselves.
 */
export const serialOracle: Property = {
  name: 'serial-oracle',
  sentence:
    'The pull requests that merge are those that a queue would merge if it tested one at a time, in order.',
  watch({ check, ledger, truth, hasHonestTests, configuration }) {
    const { waiting } = ledger
    const branch = truth.emptyBranch()
    const nothing = truth.emptyBranch()
    const conflicts = new Map<number, Set<number>>()
    /** The pull requests that have started, in serial order, from the first without an outcome. */
    const order: LinePosition[] = []
    /** Runs under way, and the outcome of each if pull requests break only by themselves. */
    const foreseen = new Map<TestRunId, 'passed' | 'failed'>()
    const isBatching = configuration.batch
    let applies = hasHonestTests && !configuration.canOptimisticallyMerge

    const addConflict = (a: number, b: number): void => {
      conflicts.set(a, (conflicts.get(a) ?? new Set()).add(b))
    }
    const addToLine = ({ members, cause }: EventOf<'groupPlaced'>): void => {
      if (cause === 'survivors' || cause === 'proven') return
      const isUrgent = cause === 'urgent'
      const next = waiting.first(members.length).map(({ number }) => {
        return { number, isUrgent, outcome: null }
      })
      const ahead = isUrgent ? order.filter(staysAhead) : [...order]
      const behind = isUrgent ? order.filter((each) => !staysAhead(each)) : []
      order.splice(0, order.length, ...ahead, ...next, ...behind)
    }
    const staysAhead = ({ number, isUrgent, outcome }: LinePosition): boolean => {
      const group = ledger.line.groupOf(number)
      return isUrgent || outcome !== null || (group !== undefined && isMerging(group))
    }
    const serially = (number: number): OracleOutcome => {
      const isApart = [...(conflicts.get(number) ?? [])].some(
        (other) => branch.holds(other) && truth.conflict(number, other),
      )
      return isApart || branch.wouldBreak([number]) ? 'FAILED' : 'MERGED'
    }
    const byItself = (number: number): OracleOutcome =>
      nothing.wouldBreak([number]) ? 'FAILED' : 'MERGED'

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
      // From here on the two queues differ, and so would everything that follows.
      if (actual !== expected) applies = false
    }
    const conclude = (number: number, outcome: OracleOutcome, point: Point): void => {
      if (isBatching) {
        if (!conflicts.has(number)) compare(number, outcome, byItself(number), point)
        return
      }
      const found = order.find((each) => each.number === number && each.outcome === null)
      if (found) found.outcome = outcome
      const known = order.findIndex((each) => each.outcome === null)
      const decided = order.splice(0, known === -1 ? order.length : known)
      for (const each of decided) {
        const expected = serially(each.number)
        if (each.outcome) compare(each.number, each.outcome, expected, point)
        if (expected === 'MERGED') branch.add(each.number)
      }
    }
    const stopAt = (isBeyond: boolean): void => {
      if (isBeyond) applies = false
    }

    return {
      on: {
        pullRequestReported({ number, conflictsWith = [] }) {
          for (const other of conflictsWith) {
            addConflict(number, other)
            addConflict(other, number)
          }
        },
        groupPlaced(event) {
          if (applies && !isBatching) addToLine(event)
        },
        testRunStarted({ run }) {
          if (!applies || !isBatching) return
          const held = [...run.base, ...run.tested]
          const isGood = held.every((number) => byItself(number) === 'MERGED')
          foreseen.set(run.id, isGood ? 'passed' : 'failed')
        },
        testRunCancelled: ({ testRun }) => void foreseen.delete(testRun),
        testRunFinished({ testRun, outcome }) {
          const expected = foreseen.get(testRun)
          foreseen.delete(testRun)
          stopAt(expected !== undefined && outcome !== expected)
        },
        mergeRefused: () => stopAt(true),
        tipMoved: ({ number }) => stopAt(number === null),
        queueConfigured({ set }) {
          const isBatchedNow = set.batch === true && !isBatching
          stopAt(isBatchedNow || set.canOptimisticallyMerge === true)
        },
        pullRequestEnded({ number, to, reason }, point) {
          stopAt(to === 'CANCELLED' || unjudged.has(reason) || ledger.laneClashes.any)
          if (applies && (to === 'MERGED' || to === 'FAILED')) conclude(number, to, point)
        },
      },
    }
  },
}

function isMerging({ merging, isPartlyMerged }: LineGroup): boolean {
  return merging !== null || isPartlyMerged
}
