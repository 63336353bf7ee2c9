import type { GroupId } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { pullRequests } from './wording.ts'

/** Rules: E-49, E-50. Checked when a group passes, and at rest after a main run has passed. */
export const clearsWhatItContains: Property = {
  name: 'clears-what-it-contains',
  sentence:
    'With optimistic merging a passing run clears every group that it contains; without it, only its own group.',
  watch({ check, ledger }) {
    const { settings } = ledger
    /** Main runs that passed in this command. */
    let passed: number[] = []
    /** Groups that had passed, and restarted in this command for another reason. */
    const restarted = new Set<GroupId>()

    return {
      on: {
        testRunFinished({ testRun, outcome }) {
          const owner = ledger.runs.find(testRun)?.run.owner
          if (outcome === 'passed' && owner?.kind === 'main') passed.push(testRun)
        },
        groupRestarted({ group }) {
          if (ledger.line.group(group)?.status === 'passed') restarted.add(group)
        },
        groupPassed({ group, run }, point) {
          const { owner, base } = run
          const members = ledger.line.group(group)?.members ?? []
          const isOwn = owner.kind === 'main' && owner.group === group
          const isContained = (): boolean =>
            settings.configuration.canOptimisticallyMerge &&
            members.every((number) => base.includes(number))
          const hasPassed = ledger.runs.find(run.id)?.outcome === 'passed'
          check(hasPassed && (isOwn || isContained()), point, () => ({
            story: `${pullRequests(members)} passed because of run ${run.id}, which ${hasPassed ? 'does not clear its group' : 'has not passed'}.`,
            pullRequests: members,
          }))
        },
      },
      atCommand() {
        if (restarted.size > 0) restarted.clear()
      },
      atRest(point) {
        if (passed.length === 0) return
        for (const testRun of passed) {
          const record = ledger.runs.find(testRun)
          if (!record || !settings.configuration.canOptimisticallyMerge) break
          // A pull request that merged and was submitted again has another content than the run.
          const uncleared = record.run.base.find((number, index) => {
            const content = ledger.branch.contentOf(number)
            const group = ledger.line.groupOf(number)
            if (!group || group.status === 'passed' || restarted.has(group.id)) return false
            return content === record.contents[index]
          })
          check(uncleared === undefined, point, () => ({
            story: `Run ${testRun} passed and contains pull request ${uncleared ?? 0}, which is not cleared by it.`,
            pullRequests: uncleared === undefined ? [] : [uncleared],
          }))
        }
        passed = []
      },
    }
  },
}
