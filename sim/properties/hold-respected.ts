import type { GroupId, Millis, TestRun, TestRunId } from '../../engine/index.ts'
import { remainingOf } from '../ledger/history.ts'
import { holdDepth } from '../ledger/hold-depth.ts'
import type { LineGroup } from '../ledger/line-group.ts'
import { numbersBelow } from '../ledger/predecessors.ts'
import { runsOn, verdictsOn, waitingOn, wouldStartOn } from '../ledger/successors.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests, runs } from './wording.ts'

const minuteMs = 60_000

/** What a failure must wait for, or may wait for, in words; null for nothing. */
type Awaited = { readonly must: string | null; readonly may: boolean }

/**
 * Rules: E-54, E-56, E-57, E-117, E-131, E-132, E-187, E-192, E-226. What a failed group waits for is computed
 * here from the line and the order: `pendingFailureDepth` verdicts on top of it, as long as a successor can give
 * one, and with the adaptive policy only while runs flake. The engine must not act on the failure before, and must
 * act as soon as nothing is left to wait for.
 */
export const holdRespected: Property = {
  name: 'hold-respected',
  sentence:
    'The engine acts on a failure when its predecessors have merged and enough successors have given a verdict on top of it, or none can any more, or runs flake so seldom that it need not wait: not before and not later.',
  watch({ check, ledger }) {
    const { settings } = ledger
    /** Until when each held failure waits for successors without a run. */
    const until = new Map<GroupId, Millis>()
    /** The same, as the engine has published it. */
    const published = new Map<GroupId, Millis>()

    /** Returns whether the pull request at a place in the base of the failed run has not merged. */
    const isUnmergedIn = (record: RunRecord | undefined): ((index: number) => boolean) => {
      const remaining = record ? remainingOf(record, ledger.history) : null
      return (index) => remaining?.includes(record?.contents[index] ?? Number.NaN) === true
    }
    const recordOf = (run: TestRun | null): RunRecord | undefined =>
      ledger.runs.find(run?.id ?? null)
    /** Others may have merged past it, so what has landed does not tell what is still below. */
    const belowAside = (group: LineGroup): readonly number[] => {
      if (group.run?.screening) return numbersBelow(ledger.line.groups, group)
      const record = recordOf(group.run)
      const isInLine = (number: number, index: number): boolean =>
        ledger.line.groupOf(number) !== undefined &&
        ledger.branch.contentOf(number) === record?.contents[index]
      return record?.run.base.filter(isInLine) ?? []
    }
    const unmergedBelow = (group: LineGroup): readonly number[] => {
      if (group.status === 'aside') return belowAside(group)
      const record = recordOf(group.run)
      const isUnmerged = isUnmergedIn(record)
      return record?.run.base.filter((_, index) => isUnmerged(index)) ?? []
    }
    /** Failed runs with an unmerged pull request in their base, as of the last commit. */
    const stacked = new Set<TestRunId>()
    const hasUnmergedBelow = (group: LineGroup): boolean => {
      if (group.status === 'aside') return belowAside(group).length > 0
      const record = recordOf(group.run)
      if (!record) return false
      if (stacked.has(record.run.id)) return true
      const isUnmerged = isUnmergedIn(record)
      const hasSome = record.run.base.some((_, index) => isUnmerged(index))
      if (hasSome) stacked.add(record.run.id)
      return hasSome
    }
    const awaitedBy = (group: LineGroup, at: Millis): Awaited => {
      const depth = holdDepth(ledger)
      if (group.status === 'aside') return { must: null, may: false }
      if (depth === 0 || verdictsOn(ledger, group) >= depth) return { must: null, may: false }
      const tested = runsOn(ledger, group)
      if (tested.length > 0) return { must: `${runs(tested)} behind it had ended`, may: true }
      if (at >= (until.get(group.id) ?? Infinity)) return { must: null, may: false }
      const waiting = waitingOn(ledger, group)
      if (waiting.length > 0) {
        return { must: `${pullRequests(waiting)} behind it had been tested`, may: true }
      }
      const may = wouldStartOn(ledger, group, at)
      return { must: may ? 'pull requests that wait to start had been tested' : null, may }
    }

    const actOn = (group: LineGroup | undefined, what: string, point: Point): void => {
      if (group?.status !== 'failed' && group?.status !== 'aside') return
      const { members } = group
      const below = unmergedBelow(group)
      check(below.length === 0, point, () => ({
        story: `The failure of ${pullRequests(members)} in run ${group.run?.id ?? 0} led to ${what} at ${minute(point.at)}, before ${pullRequests(below)} in its base had merged.`,
        pullRequests: [...members, ...below],
      }))
      const { must } = awaitedBy(group, point.at)
      check(must === null, point, () => ({
        story: `The failure of ${pullRequests(members)} led to ${what} at ${minute(point.at)}, before ${must ?? ''}.`,
        pullRequests: members,
      }))
    }
    const reviewEnd = ({ id, members }: LineGroup, point: Point): void => {
      const [expected, actual] = [until.get(id), published.get(id)]
      check(actual === expected, point, () => ({
        story: `The failure of ${pullRequests(members)} waits for successors without a run until ${actual === undefined ? 'no instant' : minute(actual)}, but it has to until ${minute(expected ?? 0)}.`,
        pullRequests: members,
      }))
    }
    const review = (group: LineGroup, point: Point): void => {
      if (hasUnmergedBelow(group)) return
      if (!until.has(group.id) && group.status === 'failed') {
        until.set(group.id, point.at + settings.configuration.testingTimeoutMinutes * minuteMs)
        reviewEnd(group, point)
      }
      check(awaitedBy(group, point.at).may, point, () => ({
        story: `At ${minute(point.at)} the failure of ${pullRequests(group.members)} has nothing left to wait for, but is not acted upon.`,
        pullRequests: group.members,
      }))
    }
    const forget = ({ group }: { readonly group: GroupId }): void => {
      until.delete(group)
      published.delete(group)
    }

    return {
      on: {
        bisectionStarted: ({ group }, point) => {
          actOn(ledger.line.group(group), 'a bisection', point)
        },
        pullRequestEnded({ number, from, to }, point) {
          if (from !== 'PENDING_FAILURE' || to !== 'FAILED') return
          actOn(ledger.line.groupOf(number), 'FAILED', point)
        },
        tipMoved: () => stacked.clear(),
        holdStarted: ({ group, heldUntil }) => void published.set(group, heldUntil),
        groupFailed: forget,
        groupRestarted: forget,
        groupPassed: forget,
        groupLeft: forget,
      },
      atRest(point) {
        for (const group of ledger.line.groups) {
          if (group.status === 'failed' || group.status === 'aside') review(group, point)
        }
      },
    }
  },
}
