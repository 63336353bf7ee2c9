import type { EventOf, GroupId, TestRun, TestRunId } from '../../engine/index.ts'
import { remainingOf } from '../ledger/history.ts'
import type { LineGroup } from '../ledger/line.ts'
import { isSame } from '../ledger/same.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests, runs } from './wording.ts'

/**
 * Rules: E-54, E-56, E-57, E-117. The successor runs that a failed group waits for are computed
 * here, the first time that the queue is at rest and all its predecessors have merged: those of the
 * first `pendingFailureDepth` groups behind it, in line order, with a run under way. The engine
 * must not act on the failure before they have ended, and in a RUNNING queue it must act then.
 */
export const holdRespected: Property = {
  name: 'hold-respected',
  sentence:
    'The engine acts on a failure when its predecessors have merged and the successor runs noted for it have ended, not before and not later.',
  watch({ check, ledger }) {
    const { settings } = ledger
    const noted = new Map<GroupId, readonly TestRunId[]>()

    const holds = (run: TestRun | null, group: LineGroup): boolean => {
      const content = ledger.branch.contentOf(group.members[0] ?? 0)
      return ledger.runs.find(run?.id ?? null)?.contents.includes(content) === true
    }
    const successorsOf = (group: LineGroup): TestRunId[] => {
      const { groups } = ledger.line
      const found: TestRunId[] = []
      const depth = settings.configuration.pendingFailureDepth
      for (let index = groups.indexOf(group) + 1; index < groups.length; index++) {
        const behind = groups[index]
        if (found.length >= depth) break
        if (behind?.status !== 'testing' || !behind.run || !holds(behind.run, group)) continue
        found.push(behind.run.id)
      }
      return found
    }
    /** Returns whether the pull request at a place in the base of the failed run has not merged. */
    const isUnmergedIn = (record: RunRecord | undefined): ((index: number) => boolean) => {
      const remaining = record ? remainingOf(record, ledger.history) : null
      return (index) => remaining?.includes(record?.contents[index] ?? Number.NaN) === true
    }
    const unmergedBelow = ({ run }: LineGroup): number[] => {
      const record = ledger.runs.find(run?.id ?? null)
      const isUnmerged = isUnmergedIn(record)
      return record?.run.base.filter((_, index) => isUnmerged(index)) ?? []
    }
    /** Failed runs with an unmerged pull request in their base, as of the last commit. */
    const stacked = new Set<TestRunId>()
    const hasUnmergedBelow = ({ run }: LineGroup): boolean => {
      const record = ledger.runs.find(run?.id ?? null)
      if (!record) return false
      if (stacked.has(record.run.id)) return true
      const isUnmerged = isUnmergedIn(record)
      const hasSome = record.run.base.some((_, index) => isUnmerged(index))
      if (hasSome) stacked.add(record.run.id)
      return hasSome
    }
    const awaitedBy = (group: LineGroup): readonly TestRunId[] =>
      (noted.get(group.id) ?? successorsOf(group)).filter((id) => ledger.runs.underWay.has(id))

    const actOn = (group: LineGroup | undefined, what: string, point: Point): void => {
      if (group?.status !== 'failed') return
      const { members } = group
      const below = unmergedBelow(group)
      check(below.length === 0, point, () => ({
        story: `The failure of ${pullRequests(members)} in run ${group.run?.id ?? 0} led to ${what} at ${minute(point.at)}, before ${pullRequests(below)} in its base had merged.`,
        pullRequests: [...members, ...below],
      }))
      const awaited = awaitedBy(group)
      check(awaited.length === 0, point, () => ({
        story: `The failure of ${pullRequests(members)} led to ${what} at ${minute(point.at)}, before ${runs(awaited)} behind it had ended.`,
        pullRequests: members,
      }))
    }
    const note = ({ group: id, testRuns }: EventOf<'successorsNoted'>, point: Point): void => {
      const group = ledger.line.group(id)
      if (!group) return
      const expected = successorsOf(group)
      check(isSame(testRuns, expected), point, () => ({
        story: `The failure of ${pullRequests(group.members)} is to wait for ${runs(testRuns)}, but it has to wait for ${runs(expected)} (pendingFailureDepth ${settings.configuration.pendingFailureDepth}).`,
        pullRequests: group.members,
      }))
    }
    const review = (group: LineGroup, point: Point): void => {
      if (hasUnmergedBelow(group)) return
      if (!noted.has(group.id)) noted.set(group.id, successorsOf(group))
      if (settings.state !== 'RUNNING') return
      check(awaitedBy(group).length > 0, point, () => ({
        story: `At ${minute(point.at)} the failure of ${pullRequests(group.members)} has nothing left to wait for, but is not acted upon.`,
        pullRequests: group.members,
      }))
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
        successorsNoted: note,
        groupFailed: ({ group }) => void noted.delete(group),
        groupRestarted: ({ group }) => void noted.delete(group),
        groupPassed: ({ group }) => void noted.delete(group),
        groupLeft: ({ group }) => void noted.delete(group),
      },
      atRest(point) {
        for (const group of ledger.line.groups) if (group.status === 'failed') review(group, point)
      },
    }
  },
}
