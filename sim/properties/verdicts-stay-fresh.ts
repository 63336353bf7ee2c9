import type { EventOf, SubmitPullRequest } from '../../engine/index.ts'
import { provenState } from '../ledger/bisections.ts'
import { withOnTop, type CompositionNode, type Content } from '../ledger/composition.ts'
import { isProofOf, remainingOf } from '../ledger/history.ts'
import { isLeftOut, type LineGroup } from '../ledger/line-group.ts'
import { isStillProjected } from '../ledger/projected-state.ts'
import { isSame } from '../ledger/same.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-13, E-65, E-105, E-109, E-143, E-227. A verdict counts only for the branch, the predecessors and the
 * members it was reached with. A result for a run that has ended counts for nothing.
 *
 * Checked where a verdict is used (a merge, a failure acted upon, a conviction), and for the whole
 * line after each command that changed it, other than by merging in order.
 */
export const verdictsStayFresh: Property = {
  name: 'verdicts-stay-fresh',
  sentence:
    'No verdict is used, kept or awaited after the composition that it belongs to has changed.',
  watch({ check, ledger }) {
    const { disturbed } = ledger
    let hasChanged = false
    /** The commit of the last submission; undefined if it named none. */
    const shas = new Map<number, string | undefined>()

    const isFailureOf = (record: RunRecord, number: number): boolean => {
      const bisectionRecord = ledger.bisections.of(number)
      const own = ledger.branch.contentOf(number)
      if (!bisectionRecord) return isAllThatRemains(record, [own])
      return (
        record.compositionBelow === provenState(bisectionRecord) && record.contents.at(-1) === own
      )
    }
    /**
     * Whether exactly these contents of the run have not landed, and nothing landed out of order.
     */
    const isAllThatRemains = (record: RunRecord, own: readonly Content[]): boolean => {
      const remaining = remainingOf(record, ledger.history)
      return remaining !== null && isSame(remaining, own)
    }
    const beMerged = ({ number, testRun }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const group = ledger.line.groupOf(number)
      if (!group || disturbed.has(group.id)) return
      const record = ledger.runs.find(testRun)
      const own = ledger.branch.contentsOf(group.members)
      const isFresh = record?.outcome === 'passed' && isProofOf(record, own, ledger.history)
      check(isFresh, point, () => ({
        story: `Pull request ${number} merged because of run ${testRun ?? 'none'}, which did not pass on the current branch.`,
        pullRequests: [number],
      }))
    }
    const failed = ({ number, evidence }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const failedIn = evidence?.failedIn ?? null
      if (failedIn === null) return
      const record = ledger.runs.find(failedIn)
      check(record !== undefined && isFailureOf(record, number), point, () => ({
        story: `Pull request ${number} FAILED because of run ${failedIn}, which did not test it on its current base.`,
        pullRequests: [number],
      }))
    }
    /** What a run of the group would test if it started now and needed all that is ahead of it. */
    const withGroup = (ahead: CompositionNode, { members }: LineGroup): CompositionNode => {
      let composition = ahead
      for (const number of members)
        composition = withOnTop(composition, ledger.branch.contentOf(number))
      return composition
    }
    /**
     * Whether the run of a group is still made of the projected state. Nearly always it is exactly
     * what is ahead in the line, which costs little to compare.
     */
    const isOnProjectedState = (group: LineGroup, wholeLine: CompositionNode): boolean => {
      const { status, run, id } = group
      if (status === 'waiting' || run === null || disturbed.has(id)) return true
      // It shows what it shows, and is not used for more, whatever has come below the group.
      if ((run.screening && status !== 'passed') || status === 'aside') return true
      if (group.merging.length > 0 || group.isPartlyMerged) return true
      const record = ledger.runs.find(run.id)
      if (!record) return false
      return record.fullComposition === wholeLine || isStillProjected(ledger, group, record)
    }

    /** E-227: nothing of the commit before counts for another one. */
    const checkCommit = ({ number, sha }: SubmitPullRequest, point: Point): void => {
      const isOther = sha !== undefined && shas.get(number) !== sha
      const isNew = point.step.events.some(
        (event) => event.type === 'pullRequestSubmitted' && event.number === number,
      )
      check(!isOther || isNew, point, () => ({
        story: `At ${minute(point.at)} another commit of ${number} was submitted, and what is known of the one before still counts.`,
        pullRequests: [number],
      }))
      if (isNew) shas.set(number, sha)
    }

    return {
      on: {
        bisectionStarted({ group, members, overtaken = false }, point) {
          hasChanged = true
          const run = ledger.line.group(group)?.run
          const record = ledger.runs.find(run?.id ?? null)
          const own = ledger.branch.contentsOf(members)
          const isVerdict = record !== undefined && isAllThatRemains(record, own)
          check(isVerdict !== overtaken, point, () => ({
            story: `${pullRequests(members)} went to bisection for a failure in run ${run?.id ?? 0}, ${overtaken ? 'which was left out as a verdict, but tested' : 'which did not test'} exactly them on the current branch.`,
            pullRequests: members,
          }))
        },
        pullRequestEnded(event, point) {
          if (event.to === 'FAILED') failed(event, point)
          if (event.reason === 'MERGE_GRAPH_MERGE') beMerged(event, point)
          else hasChanged = true
        },
        tipMoved({ number }) {
          if (number === null) hasChanged = true
        },
        groupPlaced({ index }) {
          if (index < ledger.line.groups.length) hasChanged = true
        },
        groupMoved: () => void (hasChanged = true),
        impactedTargetsSet: () => void (hasChanged = true),
        groupSplit: () => void (hasChanged = true),
        groupConflicted: () => void (hasChanged = true),
      },
      atCommand(point) {
        const { command } = point.step
        if (command.type === 'submitPullRequest') checkCommit(command, point)
        if (command.type !== 'finishTestRun') return
        check(ledger.runs.underWay.has(command.testRun), point, () => ({
          story: `At ${minute(point.at)} a result for run ${command.testRun} was accepted, which was not under way.`,
          pullRequests: [],
        }))
      },
      atRest(point) {
        if (!hasChanged) return
        hasChanged = false
        let ahead = ledger.branch.composition
        for (const group of ledger.line.groups) {
          if (group.status === 'conflicted') continue
          const wholeLine = withGroup(ahead, group)
          if (!isLeftOut(group)) ahead = wholeLine
          check(isOnProjectedState(group, wholeLine), point, () => ({
            story: `After ${point.step.command.type} at ${minute(point.at)} run ${group.run?.id ?? 0} of ${pullRequests(group.members)} still ${group.status === 'testing' ? 'goes on' : 'counts'}, although its base is not the projected state any more.`,
            pullRequests: group.members,
          }))
        }
      },
    }
  },
}
