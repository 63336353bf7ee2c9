/**
 * The serial oracle: a plain queue without predictions, batches or bisections would test one pull
 * request at a time, in order, each on top of what had merged before, and merge it if it passes.
 * Everything that the engine does beyond that is meant to save time, never to change who merges.
 *
 * Source: sim.md, "How a run goes". The order is kept here from submissions and priorities, so
 * whoever is skipped or overtaken wrongly shows as a different set of merged pull requests.
 */

import type { EventOf, Reason, TestRunId } from '../engine/index.ts'
import type { LineGroup } from './properties/model/line.ts'
import type { Property } from './properties/property.ts'
import { booksOf, judgeInto, watcher, type Seen } from './properties/watching.ts'

/** Merges without a run, on somebody's word. */
const unjudged = new Set<Reason | null>(['MANUAL_MERGE', 'MERGE_GRAPH_DIRECT_MERGE'])

type Outcome = 'MERGED' | 'FAILED'

type Place = { readonly number: number; readonly isUrgent: boolean; outcome: Outcome | null }

/**
 * It applies until something happens that a serial queue knows nothing of: a cancel, a push, a
 * merge by hand, without a run or refused, optimistic merging, a switch to batching. Lanes change
 * nothing about who merges, only when: those who matter to each other share a target and so keep
 * their order. Once two have started that do not, it is over with that. With batching it judges each
 * pull request by itself, because survivors lose their place, and only as long as every run has
 * ended as it would if no pull request's verdict depended on another's presence.
 */
export const serialOracle: Property = {
  name: 'serial-oracle',
  sentence:
    'The pull requests that merge are those that a queue would merge which tests one at a time, in order.',
  watch(setting, findings) {
    const { truth, hasHonestTests, configuration } = setting
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const { room } = books
    const branch = truth.emptyBranch()
    const nothing = truth.emptyBranch()
    const conflicts = new Map<number, Set<number>>()
    /** Who has started, in serial order, from the first whose fate is not known yet. */
    const order: Place[] = []
    /** Runs under way, and how each ends if pull requests break only by themselves. */
    const foreseen = new Map<TestRunId, 'passed' | 'failed'>()
    const isBatching = configuration.batch
    let applies = hasHonestTests && !configuration.canOptimisticallyMerge

    const addConflict = (a: number, b: number): void => {
      conflicts.set(a, (conflicts.get(a) ?? new Set()).add(b))
    }
    const place = ({ members, cause }: EventOf<'groupPlaced'>): void => {
      if (cause === 'survivors' || cause === 'proven') return
      const isUrgent = cause === 'urgent'
      const next = room.first(members.length).map(({ number }) => {
        return { number, isUrgent, outcome: null }
      })
      const ahead = isUrgent ? order.filter(staysAhead) : [...order]
      const behind = isUrgent ? order.filter((each) => !staysAhead(each)) : []
      order.splice(0, order.length, ...ahead, ...next, ...behind)
    }
    const staysAhead = ({ number, isUrgent, outcome }: Place): boolean => {
      const group = books.line.groupOf(number)
      return isUrgent || outcome !== null || (group !== undefined && isMerging(group))
    }
    const serially = (number: number): Outcome => {
      const isApart = [...(conflicts.get(number) ?? [])].some(
        (other) => branch.holds(other) && truth.conflict(number, other),
      )
      return isApart || branch.wouldBreak([number]) ? 'FAILED' : 'MERGED'
    }
    const byItself = (number: number): Outcome =>
      nothing.wouldBreak([number]) ? 'FAILED' : 'MERGED'

    const compare = (number: number, actual: Outcome, expected: Outcome, seen: Seen): void => {
      judge(actual === expected, seen, () => ({
        story: `Pull request ${number} ${actual === 'MERGED' ? 'merged' : 'FAILED'}, and in a queue that tests one at a time it would have ${expected === 'MERGED' ? 'merged' : 'FAILED'}.`,
        pullRequests: [number],
      }))
      // From here on the two queues differ, and everything that follows would, too.
      if (actual !== expected) applies = false
    }
    const conclude = (number: number, outcome: Outcome, seen: Seen): void => {
      if (isBatching) {
        if (!conflicts.has(number)) compare(number, outcome, byItself(number), seen)
        return
      }
      const found = order.find((each) => each.number === number && each.outcome === null)
      if (found) found.outcome = outcome
      const known = order.findIndex((each) => each.outcome === null)
      const decided = order.splice(0, known === -1 ? order.length : known)
      for (const each of decided) {
        const expected = serially(each.number)
        if (each.outcome) compare(each.number, each.outcome, expected, seen)
        if (expected === 'MERGED') branch.add(each.number)
      }
    }
    const stopAt = (isBeyond: boolean): void => {
      if (isBeyond) applies = false
    }

    return watcher(setting, {
      on: {
        pullRequestReported({ number, conflictsWith = [] }) {
          for (const other of conflictsWith) {
            addConflict(number, other)
            addConflict(other, number)
          }
        },
        groupPlaced(event) {
          if (applies && !isBatching) place(event)
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
        pullRequestEnded({ number, to, reason }, seen) {
          stopAt(to === 'CANCELLED' || unjudged.has(reason) || books.crossings.any)
          if (applies && (to === 'MERGED' || to === 'FAILED')) conclude(number, to, seen)
        },
      },
    })
  },
}

function isMerging({ merging, hasBegun }: LineGroup): boolean {
  return merging !== null || hasBegun
}
