import type { EventOf } from '../../engine/index.ts'
import { provenState } from './model/bisections.ts'
import type { Content } from './model/composition.ts'
import { isProofOf, remainingOf } from './model/history.ts'
import type { LineGroup } from './model/line.ts'
import { isStillProjected } from './model/projection.ts'
import { isSame } from './model/same.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, "Terms" (composition), "A run ends" and "Cancel, push, direct push". A verdict counts for
 * the branch, the predecessors and the members it was reached with, and for nothing else; a result
 * for a run that is over counts for nothing at all.
 *
 * Looked at where a verdict is used (a merge, a failure acted upon, a conviction), and for the
 * whole line whenever a command changed it other than by merging in order.
 */
export const verdictsStayFresh: Property = {
  name: 'verdicts-stay-fresh',
  sentence:
    'No verdict is used, kept or awaited after the composition it was reached with has changed.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const { disturbed } = books
    let hasChanged = false

    const isFailureOf = (record: RunRecord, number: number): boolean => {
      const bisected = books.bisections.of(number)
      const own = books.branch.contentOf(number)
      if (!bisected) return isAllThatRemains(record, [own])
      return record.withoutLast === provenState(bisected) && record.contents.at(-1) === own
    }
    /** Whether everything below these has landed, as far as it shares a target, and nothing else. */
    const isAllThatRemains = (record: RunRecord, own: readonly Content[]): boolean => {
      const remaining = remainingOf(record, books.history)
      return remaining !== null && isSame(remaining, own)
    }
    const beMerged = ({ number, testRun }: EventOf<'pullRequestMoved'>, seen: Seen): void => {
      const group = books.line.groupOf(number)
      if (!group || disturbed.has(group.id)) return
      const record = books.runs.find(testRun)
      const own = books.branch.contentsOf(group.members)
      const isFresh = record?.outcome === 'passed' && isProofOf(record, own, books.history)
      judge(isFresh, seen, () => ({
        story: `Pull request ${number} merged on the word of run ${testRun ?? 'none'}, which did not pass on what the branch holds now.`,
        pullRequests: [number],
      }))
    }
    const failed = ({ number, evidence }: EventOf<'pullRequestMoved'>, seen: Seen): void => {
      const failedIn = evidence?.failedIn ?? null
      if (failedIn === null) return
      const record = books.runs.find(failedIn)
      judge(record !== undefined && isFailureOf(record, number), seen, () => ({
        story: `Pull request ${number} FAILED on the word of run ${failedIn}, which was not about it on top of what is below it now.`,
        pullRequests: [number],
      }))
    }
    /** Whether what a group stands on is still the projected state. */
    const isOnProjectedState = (group: LineGroup): boolean => {
      const { stand, run, id } = group
      if (stand === 'waiting' || run === null || disturbed.has(id)) return true
      if (group.merging !== null || group.hasBegun) return true
      const record = books.runs.find(run.id)
      return record !== undefined && isStillProjected(books, group, record)
    }

    return watcher(setting, {
      on: {
        bisectionStarted({ group, members }, seen) {
          hasChanged = true
          const run = books.line.group(group)?.run
          const record = books.runs.find(run?.id ?? null)
          const own = books.branch.contentsOf(members)
          judge(record !== undefined && isAllThatRemains(record, own), seen, () => ({
            story: `${pullRequests(members)} went to bisection for a failure in run ${run?.id ?? 0}, whose composition is not theirs on the branch as it is.`,
            pullRequests: members,
          }))
        },
        pullRequestEnded(event, seen) {
          if (event.to === 'FAILED') failed(event, seen)
          if (event.reason === 'MERGE_GRAPH_MERGE') beMerged(event, seen)
          else hasChanged = true
        },
        tipMoved({ number }) {
          if (number === null) hasChanged = true
        },
        groupPlaced({ index }) {
          if (index < books.line.groups.length) hasChanged = true
        },
        groupAdvanced: () => void (hasChanged = true),
        groupSplit: () => void (hasChanged = true),
        groupConflicted: () => void (hasChanged = true),
      },
      atCommand(seen) {
        const { command } = seen.moment
        if (command.type !== 'finishTestRun') return
        judge(books.runs.underWay.has(command.testRun), seen, () => ({
          story: `At ${minute(seen.at)} a result for run ${command.testRun} was taken, which was not under way.`,
          pullRequests: [],
        }))
      },
      atRest(seen) {
        if (!hasChanged) return
        hasChanged = false
        for (const group of books.line.groups) {
          if (group.stand === 'conflicted') continue
          judge(isOnProjectedState(group), seen, () => ({
            story: `After ${seen.moment.command.type} at ${minute(seen.at)} run ${group.run?.id ?? 0} of ${pullRequests(group.members)} still ${group.stand === 'testing' ? 'goes on' : 'counts'}, made of something else than what is below now.`,
            pullRequests: group.members,
          }))
        }
      },
    })
  },
}
