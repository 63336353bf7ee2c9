import { isProofOf, remainingOf } from '../ledger/history.ts'
import { checkByTruth } from './check-by-truth.ts'
import type { Property } from '../observe/property.ts'

/**
 * Rule: E-111. Checked whenever the last member of a group merges. Excepted are direct merges, and
 * groups that are disturbed after their merging has begun (by a refusal, a departure, a push).
 *
 * If optimistic merging was ever on, a run that passed and contains the state is proof enough, and
 * the truth is checked only for states that a run tested exactly: between two of those the branch
 * may be broken. That is the price of optimistic merging.
 */
export const trunkStaysGreen: Property = {
  name: 'trunk-stays-green',
  sentence:
    'When a group has merged, the branch is what the run that cleared it has tested; with optimistic merging, part of what that run has tested.',
  watch({ check, ledger, hasHonestTests, configuration }) {
    const checkTruth = checkByTruth({ check, ledger })
    const { disturbed } = ledger
    let wasEverOptimistic = configuration.canOptimisticallyMerge

    const endsGroup = (number: number): boolean => {
      const group = ledger.line.groupOf(number)
      return group?.members.length === 1 && !disturbed.has(group.id)
    }
    /**
     * Whether another lane has a batch that is partly merged, or may have merged a state that no
     * run tested.
     */
    const isAmongOthers = (number: number): boolean => {
      if (ledger.settings.configuration.mode === 'single') return false
      const own = ledger.line.groupOf(number)
      return (
        wasEverOptimistic || ledger.line.groups.some((each) => each !== own && each.isPartlyMerged)
      )
    }
    /** How far the run has tested the current branch. */
    const proofBy = (testRun: number | null, number: number): 'exact' | 'contained' | 'none' => {
      const record = ledger.runs.find(testRun)
      if (record?.outcome !== 'passed') return 'none'
      const remaining = remainingOf(record, ledger.history)
      // Contents of its base that have not landed share no target with those that have.
      const tested = record.contents.slice(-record.run.tested.length)
      if (remaining && !tested.some((each) => remaining.includes(each))) return 'exact'
      const own = ledger.branch.contentOf(number)
      return record.contents.includes(own) && isProofOf(record, [own], ledger.history)
        ? 'contained'
        : 'none'
    }

    return {
      on: {
        queueConfigured({ set }) {
          if (set.canOptimisticallyMerge === true) wasEverOptimistic = true
        },
        pullRequestEnded({ number, reason, testRun }, point) {
          if (reason !== 'MERGE_GRAPH_MERGE' || !endsGroup(number)) return
          const merged = `After pull request ${number} merged because of run ${testRun ?? 'none'}`
          const proof = proofBy(testRun, number)
          check(proof === 'exact' || (wasEverOptimistic && proof === 'contained'), point, () => ({
            story: `${merged}, the branch is not what that run tested${wasEverOptimistic ? ' or contained' : ''}.`,
            pullRequests: [number],
          }))
          if (!hasHonestTests || (wasEverOptimistic && proof !== 'exact')) return
          if (isAmongOthers(number)) return
          checkTruth(!ledger.trueBranch.isBroken, point, () => ({
            story: `${merged}, the branch is broken: its tests would fail.`,
            pullRequests: [number],
          }))
        },
      },
    }
  },
}
