import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/**
 * Spec, "Direct merge". The code host calls a pull request green on the branch as it is; with the
 * next commit that says nothing any more.
 */
export const directMergesAreGreen: Property = {
  name: 'direct-merges-are-green',
  sentence:
    'Nobody merges without a run but whom the code host calls green on the branch as it is, and only where that is allowed.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const { settings } = booksOf(setting)
    const green = new Set<number>()

    return watcher(setting, {
      on: {
        pullRequestReported({ number, greenOnTip }) {
          if (greenOnTip === true) green.add(number)
          else if (greenOnTip === false) green.delete(number)
        },
        tipMoved: () => green.clear(),
        groupPlaced({ members, cause }, seen) {
          if (cause !== 'direct merge') return
          const isAllowed = settings.configuration.directMergeMode === 'always'
          judge(isAllowed && members.every((number) => green.has(number)), seen, () => ({
            story: `At ${minute(seen.at)} ${pullRequests(members)} went to merge without a run, ${isAllowed ? 'and is not green on the branch as it is' : 'where that is off'}.`,
            pullRequests: members,
          }))
        },
      },
    })
  },
}
