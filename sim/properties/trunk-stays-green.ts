import { isProofOf, remainingOf } from './model/history.ts'
import type { Property } from './property.ts'
import { booksOf, judgeByTruth, judgeInto, watcher } from './watching.ts'

/**
 * Spec, safety 1. Looked at whenever the last member of a group merges. A direct merge, and what
 * disturbs a group once its merging has begun (a refusal, a departure, a push), are excepted.
 *
 * Where optimistic merging ever was on, a run that passed and contains the state is proof enough,
 * and the truth is asked only of states that some run tested exactly: between two of those the
 * branch may well be broken, that is what being optimistic means.
 */
export const trunkStaysGreen: Property = {
  name: 'trunk-stays-green',
  sentence:
    'After every group merged, the branch is what the run that they merge on has tested; with optimistic merging, is contained in it.',
  watch(setting, findings) {
    const { hasHonestTests, configuration } = setting
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const judgeTruth = judgeByTruth(findings, books)
    const { disturbed } = books
    let wasEverOptimistic = configuration.canOptimisticallyMerge

    const endsGroup = (number: number): boolean => {
      const group = books.line.groupOf(number)
      return group?.members.length === 1 && !disturbed.has(group.id)
    }
    /** In another lane a batch is half merged, or some state between was merged unseen. */
    const isAmongOthers = (number: number): boolean => {
      if (books.settings.configuration.mode === 'single') return false
      const own = books.line.groupOf(number)
      return wasEverOptimistic || books.line.groups.some((each) => each !== own && each.hasBegun)
    }
    /** How far the run has tested what the branch is now. */
    const proofBy = (testRun: number | null, number: number): 'exact' | 'contained' | 'none' => {
      const record = books.runs.find(testRun)
      if (record?.outcome !== 'passed') return 'none'
      const remaining = remainingOf(record, books.history)
      // What it had below and has not landed shares no target with what has.
      const tested = record.contents.slice(-record.run.tested.length)
      if (remaining && !tested.some((each) => remaining.includes(each))) return 'exact'
      const own = books.branch.contentOf(number)
      return record.contents.includes(own) && isProofOf(record, [own], books.history)
        ? 'contained'
        : 'none'
    }

    return watcher(setting, {
      on: {
        queueConfigured({ set }) {
          if (set.canOptimisticallyMerge === true) wasEverOptimistic = true
        },
        pullRequestEnded({ number, reason, testRun }, seen) {
          if (reason !== 'MERGE_GRAPH_MERGE' || !endsGroup(number)) return
          const merged = `With pull request ${number} merged on the word of run ${testRun ?? 'none'}`
          const proof = proofBy(testRun, number)
          judge(proof === 'exact' || (wasEverOptimistic && proof === 'contained'), seen, () => ({
            story: `${merged}, the branch holds what that run has not tested${wasEverOptimistic ? ' or contained' : ''}.`,
            pullRequests: [number],
          }))
          if (!hasHonestTests || (wasEverOptimistic && proof !== 'exact')) return
          if (isAmongOthers(number)) return
          judgeTruth(!books.truly.isBroken, seen, () => ({
            story: `${merged}, the branch is broken: its tests would fail.`,
            pullRequests: [number],
          }))
        },
      },
    })
  },
}
