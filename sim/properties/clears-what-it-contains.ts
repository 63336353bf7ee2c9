import type { GroupId } from '../../engine/index.ts'
import type { Property } from './property.ts'
import { pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/** Spec, "A run ends" (optimistic merging). */
export const clearsWhatItContains: Property = {
  name: 'clears-what-it-contains',
  sentence:
    'With optimistic merging a passing run clears every group it contains; without, a group passes by its own run alone.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const { settings } = books
    /** Runs that passed in this command, as far as they belong to the line. */
    let passed: number[] = []
    /** Groups that had passed, and started again in this command for something else. */
    const restarted = new Set<GroupId>()

    return watcher(setting, {
      on: {
        testRunFinished({ testRun, outcome }) {
          const owner = books.runs.find(testRun)?.run.owner
          if (outcome === 'passed' && owner?.kind === 'main') passed.push(testRun)
        },
        groupRestarted({ group }) {
          if (books.line.group(group)?.stand === 'passed') restarted.add(group)
        },
        groupPassed({ group, run }, seen) {
          const { owner, base } = run
          const members = books.line.group(group)?.members ?? []
          const isOwn = owner.kind === 'main' && owner.group === group
          const isContained =
            settings.configuration.canOptimisticallyMerge &&
            members.every((number) => base.includes(number))
          const hasPassed = books.runs.find(run.id)?.outcome === 'passed'
          judge(hasPassed && (isOwn || isContained), seen, () => ({
            story: `${pullRequests(members)} passed on the word of run ${run.id}, which ${hasPassed ? 'is not theirs to pass on' : 'has not passed'}.`,
            pullRequests: members,
          }))
        },
      },
      atCommand() {
        if (restarted.size > 0) restarted.clear()
      },
      atRest(seen) {
        if (passed.length === 0) return
        for (const testRun of passed) {
          const record = books.runs.find(testRun)
          if (!record || !settings.configuration.canOptimisticallyMerge) break
          // One that merged and was submitted again is in the line, and is not what it contains.
          const uncleared = record.run.base.find((number, place) => {
            const content = books.branch.contentOf(number)
            const group = books.line.groupOf(number)
            if (!group || group.stand === 'passed' || restarted.has(group.id)) return false
            return content === record.contents[place]
          })
          judge(uncleared === undefined, seen, () => ({
            story: `Run ${testRun} passed and contains pull request ${uncleared ?? 0}, which is not cleared by it.`,
            pullRequests: uncleared === undefined ? [] : [uncleared],
          }))
        }
        passed = []
      },
    })
  },
}
