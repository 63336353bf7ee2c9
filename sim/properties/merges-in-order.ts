import type { Bisected } from './model/bisections.ts'
import type { LineGroup } from './model/line.ts'
import { firstPredecessorOf } from './model/predecessors.ts'
import { shareTarget } from './model/targets.ts'
import type { Property } from './property.ts'
import { pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, safety 5, "A run ends" (passed, optimistic merging off) and "Bisection" (survivors). An
 * urgent one stands ahead of a failed batch, not behind: it came in at the head of the line.
 */
export const mergesInOrder: Property = {
  name: 'merges-in-order',
  sentence:
    'Pull requests merge one commit each and in order, and without optimistic merging nothing merges past a failure still being handled.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const { settings } = books
    /** The commit that has landed and whose pull request has not been called merged yet. */
    let landed: number | null = null

    const unhandledFailureAheadOf = (group: LineGroup): Bisected | undefined => {
      if (settings.configuration.canOptimisticallyMerge || group.isUrgent) return undefined
      const all = [...books.bisections.all.values()]
      return all.find(
        ({ id, touched }) =>
          (group.provenBy === null || id < group.provenBy) && shareTarget(touched, group.touched),
      )
    }
    const comesNext = (number: number, seen: Seen): void => {
      const group = books.line.groupOf(number)
      judge(group?.members[0] === number, seen, () => ({
        story: `Pull request ${number} was to merge, which is not the next of any group in the line.`,
        pullRequests: [number],
      }))
      if (!group) return
      // What has begun finishes, and what the code host was asked for lands.
      const isDecided = group.hasBegun || group.merging === number
      const ahead = isDecided ? undefined : firstPredecessorOf(books.line.groups, group)
      judge(ahead === undefined, seen, () => ({
        story: `Pull request ${number} was to merge while ${pullRequests(ahead?.members ?? [])} ahead had not.`,
        pullRequests: [number, ...(ahead?.members ?? [])],
      }))
      const failure = isDecided ? undefined : unhandledFailureAheadOf(group)
      judge(failure === undefined, seen, () => ({
        story: `Pull request ${number} was to merge while the failure of ${pullRequests(failure?.members ?? [])} ahead was still being bisected.`,
        pullRequests: [number, ...(failure?.members ?? [])],
      }))
    }

    return watcher(setting, {
      on: {
        mergeRequested: ({ number }, seen) => comesNext(number, seen),
        tipMoved({ tip, number }, seen) {
          judge(tip === books.branch.number + 1 && landed === null, seen, () => ({
            story: `Commit ${tip} (${number === null ? 'a push' : `pull request ${number}`}) landed where commit ${books.branch.number + 1} was to come.`,
            pullRequests: number === null ? [] : [number],
          }))
          landed = number
        },
        pullRequestEnded({ number, to, reason }, seen) {
          if (to !== 'MERGED') return
          judge(landed === number, seen, () => ({
            story: `Pull request ${number} was called merged, and no commit of its own had landed.`,
            pullRequests: [number],
          }))
          landed = null
          if (reason !== 'MANUAL_MERGE') comesNext(number, seen)
        },
      },
      atRest(seen) {
        judge(landed === null, seen, () => ({
          story: `The commit of pull request ${landed ?? 0} landed, and the pull request was not merged.`,
          pullRequests: landed === null ? [] : [landed],
        }))
      },
    })
  },
}
