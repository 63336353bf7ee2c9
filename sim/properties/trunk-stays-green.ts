import { type EventOf, type GroupId, groupWith, type TestRun } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/step.ts'

/** How far a run has tested the branch as it is now. */
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
 * mode commits of other lanes may have landed beside it, so only the truth is checked. They say
 * nothing about this group while they are not proven themselves (half a batch, or cleared by a
 * successor), if they clash with another lane, or if they passed because of a quarantine that has changed since.
 */
export const trunkStaysGreen: Property = {
  name: 'trunk-stays-green',
  sentence:
    'When a group has merged, the branch passes; it is what the run that cleared the group has tested, or with optimistic merging part of that.',
  watch({ check, leaveOut, ledger, knowsTruth }) {
    const { queue } = ledger
    /** Groups that a successor cleared while optimistic merging was on. */
    const cleared = new Set<GroupId>()
    /** Commits that no run has passed with as its last: their submissions, with their tips. */
    const unproven = new Map<number, number>()
    /** Commits of pull requests that clash with another lane. */
    const clashing = new Map<number, number>()
    /** Commits that passed although tests failed: their submissions, with their tips and pull requests. */
    const leaning = new Map<number, { readonly tip: number; readonly number: number }>()

    const proofBy = (run: TestRun, isCleared: boolean): Proof => {
      if (queue.configuration.mode === 'parallel') return isCleared ? 'contained' : 'exact'
      const { tip, submissions, owner } = run
      const landed = ledger.commits.slice(tip)
      if (landed.some((submission, index) => submission !== submissions[index])) return 'none'
      // A bisection has tested the prefix that ends here as part of a longer one.
      const isWhole = landed.length === submissions.length || owner.kind === 'bisection'
      return isWhole ? 'exact' : 'contained'
    }
    /** Whether the branch beyond what the run has tested is proven as well. */
    const isAllProven = ({ tip: start, submissions }: TestRun, { at }: Point): boolean => {
      const isBeside = (submission: number, tip: number): boolean =>
        tip > start && !submissions.includes(submission)
      for (const [commit, tip] of unproven) if (!isBeside(commit, tip)) unproven.delete(commit)
      if (unproven.size > 0) return false
      for (const [commit, tip] of clashing) if (isBeside(commit, tip)) return false
      for (const [commit, { tip, number }] of leaning)
        if (isBeside(commit, tip) && ledger.quarantine.changedFor(number, at)) return false
      return true
    }
    const isToBeGreen = (run: TestRun, point: Point): boolean =>
      knowsTruth &&
      !ledger.quarantine.changedSince(run.startedAt, point.at) &&
      isAllProven(run, point)
    const clear = ({ group, run }: EventOf<'groupPassed'>): void => {
      const isOwn = run.owner.kind === 'main' && run.owner.group === group
      if (!isOwn && queue.configuration.canOptimisticallyMerge) cleared.add(group)
      else cleared.delete(group)
    }
    const mergeLast = (
      group: GroupId,
      { number, testRun }: EventOf<'pullRequestMoved'>,
      point: Point,
    ): void => {
      const merged = `After pull request ${number} merged because of run ${testRun ?? 'none'}`
      const record = ledger.run(testRun)
      const run = record?.outcome === 'passed' ? record.run : null
      const isCleared = cleared.has(group)
      const proof = run ? proofBy(run, isCleared) : 'none'
      check(proof === 'exact' || (isCleared && proof === 'contained'), point, () => ({
        story: `${merged}, the branch is not what that run tested${isCleared ? ' or contained' : ''}.`,
        pullRequests: [number],
      }))
      const isPartial = isCleared && proof !== 'exact'
      if (!run || isPartial || !isToBeGreen(run, point)) {
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
          const submission = queue.pullRequests[number ?? 0]?.submission
          if (number === null || submission === undefined) return
          unproven.set(submission, tip)
          if (ledger.laneClashes.has(number)) clashing.set(submission, tip)
          if (ledger.quarantine.leansOn(number)) leaning.set(submission, { tip, number })
        },
        pullRequestEnded(event, point) {
          if (event.reason !== 'MERGE_GRAPH_MERGE') return
          const group = groupWith(queue, event.number)
          if (group?.members.length !== 1) return
          if (ledger.disturbed.has(group.id)) leaveOut()
          else mergeLast(group.id, event, point)
        },
      },
    }
  },
}
