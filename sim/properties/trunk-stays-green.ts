import type { EventOf, GroupId } from '../../engine/index.ts'
import { isProofOf, remainingOf } from '../ledger/history.ts'
import type { Content } from '../ledger/composition.ts'
import { isMergingAsProven } from '../ledger/line-group.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'

/** How far a run has tested the current branch. */
type Proof = 'exact' | 'contained' | 'none'

/**
 * Rule: E-111. Checked whenever the last member of a group merges. Excepted are direct merges, and
 * groups that are disturbed after their merging has begun (by a refusal, a departure, a push).
 *
 * For a group that a successor cleared, with optimistic merging on, a run that passed and contains
 * the state is proof enough. The truth is checked for states that a run tested exactly: between two
 * of those the branch may be broken. That is the price of optimistic merging.
 *
 * A run that passed tells the truth, whether or not others flake, are lost or time out. In parallel
 * mode commits of other lanes may have landed beside it. They say nothing about this group while
 * they are not proven themselves (half a batch, or cleared by a successor), or if they clash with
 * another lane.
 */
export const trunkStaysGreen: Property = {
  name: 'trunk-stays-green',
  sentence:
    'When a group has merged, the branch is what the run that cleared it has tested; with optimistic merging, part of what that run has tested.',
  watch({ check, leaveOut, ledger, knowsTruth }) {
    const { disturbed } = ledger
    /** Groups that a successor cleared while optimistic merging was on. */
    const cleared = new Set<GroupId>()
    /** Commits that no run has passed with as its last: their contents, with their tips. */
    const unproven = new Map<Content, number>()
    /** Commits of pull requests that clash with another lane. */
    const clashing = new Map<Content, number>()

    /** Whether it is in the base of the run, or a member of its bisection that merges by itself. */
    const isOfOthers = ({ contents, run }: RunRecord, content: Content): boolean => {
      const member = run.tested[contents.indexOf(content) - run.base.length]
      if (member === undefined || run.owner.kind !== 'bisection') return member === undefined
      return isMergingAsProven(ledger.line.groupOf(member), run.owner.bisection)
    }
    const proofBy = (record: RunRecord | undefined, number: number): Proof => {
      if (record?.outcome !== 'passed') return 'none'
      const remaining = remainingOf(record, ledger.history)
      const { contents } = record
      // What has not landed shares no target with what has.
      if (remaining?.every((each) => isOfOthers(record, each))) return 'exact'
      const own = ledger.branch.contentOf(number)
      return contents.includes(own) && isProofOf(record, [own], ledger.history)
        ? 'contained'
        : 'none'
    }
    /** Whether the branch beyond what the run has tested is proven as well. */
    const isAllProven = ({ run, contents }: RunRecord): boolean => {
      const isBeside = (content: Content, tip: number): boolean =>
        tip > run.tip && !contents.includes(content)
      for (const [content, tip] of unproven) if (!isBeside(content, tip)) unproven.delete(content)
      if (unproven.size > 0) return false
      for (const [content, tip] of clashing) if (isBeside(content, tip)) return false
      return true
    }
    const clear = ({ group, run }: EventOf<'groupPassed'>): void => {
      const isOwn = run.owner.kind === 'main' && run.owner.group === group
      const { canOptimisticallyMerge } = ledger.settings.configuration
      if (!isOwn && canOptimisticallyMerge) cleared.add(group)
      else cleared.delete(group)
    }
    const mergeLast = (
      group: GroupId,
      { number, testRun }: EventOf<'pullRequestMoved'>,
      point: Point,
    ): void => {
      const merged = `After pull request ${number} merged because of run ${testRun ?? 'none'}`
      const record = ledger.runs.find(testRun)
      const proof = proofBy(record, number)
      const isCleared = cleared.has(group)
      check(proof === 'exact' || (isCleared && proof === 'contained'), point, () => ({
        story: `${merged}, the branch is not what that run tested${isCleared ? ' or contained' : ''}.`,
        pullRequests: [number],
      }))
      const isOtherList =
        record !== undefined && ledger.quarantine.changedSince(record.run.startedAt, point.at)
      const isUnclear = isOtherList || (isCleared && proof !== 'exact')
      if (!knowsTruth || !record || isUnclear || !isAllProven(record)) {
        leaveOut()
        return
      }
      check(!ledger.trueBranch.isBroken, point, () => ({
        story: `${merged}, the branch is broken: its tests would fail.`,
        pullRequests: [number],
      }))
    }

    return {
      on: {
        groupPassed: clear,
        groupLeft: ({ group }) => void cleared.delete(group),
        tipMoved({ number, tip }) {
          if (number === null) return
          const content = ledger.branch.contentOf(number)
          unproven.set(content, tip)
          if (ledger.laneClashes.has(number)) clashing.set(content, tip)
        },
        pullRequestEnded(event, point) {
          if (event.reason !== 'MERGE_GRAPH_MERGE') return
          const group = ledger.line.groupOf(event.number)
          if (group?.members.length !== 1) return
          if (disturbed.has(group.id)) leaveOut()
          else mergeLast(group.id, event, point)
        },
      },
    }
  },
}
