import type { EventOf, GroupId, TestRun, TestRunId } from '../../engine/index.ts'
import { remainingOf } from './model/history.ts'
import type { LineGroup } from './model/line.ts'
import { isSame } from './model/same.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { minute, pullRequests, runs } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, safety 9 and "A run ends" (failed). Which successor runs a failed group waits for is
 * worked out here, at the first rest at which all its predecessors have merged: the first
 * `pendingFailureDepth` groups behind it, in line order, with a run under way. Nobody may act on
 * the failure before they are done, and in a RUNNING queue nobody may wait for longer.
 */
export const holdRespected: Property = {
  name: 'hold-respected',
  sentence:
    'A failure is acted upon when its predecessors have merged and the successor runs noted for it are done, not before and not later.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const { settings } = books
    const noted = new Map<GroupId, readonly TestRunId[]>()

    const holds = (run: TestRun | null, group: LineGroup): boolean => {
      const content = books.branch.contentOf(group.members[0] ?? 0)
      return books.runs.find(run?.id ?? null)?.contents.includes(content) === true
    }
    const successorsOf = (group: LineGroup): TestRunId[] => {
      const { groups } = books.line
      const found: TestRunId[] = []
      const depth = settings.configuration.pendingFailureDepth
      for (let place = groups.indexOf(group) + 1; place < groups.length; place++) {
        const behind = groups[place]
        if (found.length >= depth) break
        if (behind?.stand !== 'testing' || !behind.run || !holds(behind.run, group)) continue
        found.push(behind.run.id)
      }
      return found
    }
    /** Says of a place below the failed run whether who is there has not merged. */
    const isUnmergedIn = (record: RunRecord | undefined): ((place: number) => boolean) => {
      const remaining = record ? remainingOf(record, books.history) : null
      return (place) => remaining?.includes(record?.contents[place] ?? Number.NaN) === true
    }
    const unmergedBelow = ({ run }: LineGroup): number[] => {
      const record = books.runs.find(run?.id ?? null)
      const isUnmerged = isUnmergedIn(record)
      return record?.run.base.filter((_, place) => isUnmerged(place)) ?? []
    }
    /** Failed runs that are known to have somebody unmerged below, until the next commit lands. */
    const stacked = new Set<TestRunId>()
    const hasUnmergedBelow = ({ run }: LineGroup): boolean => {
      const record = books.runs.find(run?.id ?? null)
      if (!record) return false
      if (stacked.has(record.run.id)) return true
      const isUnmerged = isUnmergedIn(record)
      const hasSome = record.run.base.some((_, place) => isUnmerged(place))
      if (hasSome) stacked.add(record.run.id)
      return hasSome
    }
    const awaitedBy = (group: LineGroup): readonly TestRunId[] =>
      (noted.get(group.id) ?? successorsOf(group)).filter((id) => books.runs.underWay.has(id))

    const actOn = (group: LineGroup | undefined, what: string, seen: Seen): void => {
      if (group?.stand !== 'failed') return
      const { members } = group
      const below = unmergedBelow(group)
      judge(below.length === 0, seen, () => ({
        story: `The failure of ${pullRequests(members)} in run ${group.run?.id ?? 0} led to ${what} at ${minute(seen.at)}, before ${pullRequests(below)} below had merged.`,
        pullRequests: [...members, ...below],
      }))
      const awaited = awaitedBy(group)
      judge(awaited.length === 0, seen, () => ({
        story: `The failure of ${pullRequests(members)} led to ${what} at ${minute(seen.at)}, while ${runs(awaited)} behind, to be waited for, went on.`,
        pullRequests: members,
      }))
    }
    const note = ({ group: id, testRuns }: EventOf<'successorsNoted'>, seen: Seen): void => {
      const group = books.line.group(id)
      if (!group) return
      const expected = successorsOf(group)
      judge(isSame(testRuns, expected), seen, () => ({
        story: `The failure of ${pullRequests(group.members)} is to wait for ${runs(testRuns)}, where the first ${settings.configuration.pendingFailureDepth} behind are ${runs(expected)}.`,
        pullRequests: group.members,
      }))
    }
    const review = (group: LineGroup, seen: Seen): void => {
      if (hasUnmergedBelow(group)) return
      if (!noted.has(group.id)) noted.set(group.id, successorsOf(group))
      if (settings.state !== 'RUNNING') return
      judge(awaitedBy(group).length > 0, seen, () => ({
        story: `At ${minute(seen.at)} the failure of ${pullRequests(group.members)} has nothing left to wait for, and is not acted upon.`,
        pullRequests: group.members,
      }))
    }

    return watcher(setting, {
      on: {
        bisectionStarted: ({ group }, seen) => {
          actOn(books.line.group(group), 'a bisection', seen)
        },
        pullRequestEnded({ number, from, to }, seen) {
          if (from !== 'PENDING_FAILURE' || to !== 'FAILED') return
          actOn(books.line.groupOf(number), 'FAILED', seen)
        },
        tipMoved: () => stacked.clear(),
        successorsNoted: note,
        groupFailed: ({ group }) => void noted.delete(group),
        groupRestarted: ({ group }) => void noted.delete(group),
        groupPassed: ({ group }) => void noted.delete(group),
        groupLeft: ({ group }) => void noted.delete(group),
      },
      atRest(seen) {
        for (const group of books.line.groups) if (group.stand === 'failed') review(group, seen)
      },
    })
  },
}
