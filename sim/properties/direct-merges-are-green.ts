import type { Property } from '../observe/property.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-40, E-41. The code host reports a pull request green on the current tip. The next commit
 * voids that report.
 */
export const directMergesAreGreen: Property = {
  name: 'direct-merges-are-green',
  sentence:
    'A pull request merges without a run only if the code host reports it green on the current tip, and only where direct merging is on.',
  watch({ check, ledger }) {
    const { settings } = ledger
    const green = new Set<number>()

    return {
      on: {
        pullRequestReported({ number, greenOnTip }) {
          if (greenOnTip === true) green.add(number)
          else if (greenOnTip === false) green.delete(number)
        },
        tipMoved: () => green.clear(),
        groupPlaced({ members, cause }, point) {
          if (cause !== 'direct merge') return
          const isAllowed = settings.configuration.directMergeMode === 'always'
          check(isAllowed && members.every((number) => green.has(number)), point, () => ({
            story: `At ${minute(point.at)} ${pullRequests(members)} was to merge without a run, ${isAllowed ? 'although not green on the current tip' : 'although direct merging is off'}.`,
            pullRequests: members,
          }))
        },
      },
    }
  },
}
