import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/** Spec, "Pull request states" (NOT_READY). Looked at when somebody comes into the line. */
export const onlyTheReadyStart: Property = {
  name: 'only-the-ready-start',
  sentence:
    'Nobody comes into the line whom the code host objects to, or in parallel mode whose targets are not known.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const { settings } = booksOf(setting)
    const objectedTo = new Set<number>()
    const touching = new Set<number>()
    const isReady = (number: number): boolean =>
      !objectedTo.has(number) && (settings.configuration.mode === 'single' || touching.has(number))

    return watcher(setting, {
      on: {
        pullRequestReported({ number, mergeable }) {
          if (mergeable === false) objectedTo.add(number)
          else if (mergeable === true) objectedTo.delete(number)
        },
        impactedTargetsSet: ({ number }) => void touching.add(number),
        groupPlaced({ members, cause }, seen) {
          if (cause === 'survivors' || cause === 'proven') return
          judge(members.every(isReady), seen, () => ({
            story: `At ${minute(seen.at)} ${pullRequests(members)} came into the line, and not all of them are ready.`,
            pullRequests: members,
          }))
        },
      },
    })
  },
}
