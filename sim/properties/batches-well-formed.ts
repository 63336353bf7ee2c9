import { urgentPriority } from './model/waiting-room.ts'
import type { Property } from './property.ts'
import { pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

type Wishes = { priority: number; noBatch: boolean; flakeReturns: number }

/** More often than this back from a bisection that found a flake, and it is tested alone. */
const flakeReturnsInCompany = 3

/**
 * Spec, safety 6, "Order and starting" (a batch; a member that has become noBatch) and
 * "Bisection" (every bisection ends). The size counts when the batch is formed, later settings
 * change nothing; who may not be in company is looked at again whenever a run starts.
 */
export const batchesWellFormed: Property = {
  name: 'batches-well-formed',
  sentence:
    'No batch is formed above the target size, and no main run tests in company who is noBatch, urgent when it started, or too often back from a flake.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const { settings } = booksOf(setting)
    const wishes = new Map<number, Wishes>()
    let endedAsFlake = false

    const targetSize = (): number =>
      settings.configuration.batch ? settings.configuration.batchingMinSize : 1
    const mustBeAlone = (number: number): boolean => {
      const wish = wishes.get(number)
      return wish !== undefined && (wish.noBatch || wish.flakeReturns > flakeReturnsInCompany)
    }

    return watcher(setting, {
      on: {
        pullRequestSubmitted({ number, priority, noBatch }) {
          wishes.set(number, { priority, noBatch, flakeReturns: 0 })
        },
        pullRequestRewritten({ number, priority, noBatch }) {
          const wish = wishes.get(number)
          if (wish) Object.assign(wish, { priority, noBatch })
        },
        pullRequestEnded: ({ number }) => void wishes.delete(number),
        bisectionEnded({ flake }) {
          endedAsFlake = flake
        },
        groupPlaced({ group, members, cause }, seen) {
          if (cause === 'survivors' && endedAsFlake) {
            for (const number of members) {
              const wish = wishes.get(number)
              if (wish) wish.flakeReturns++
            }
          }
          if (cause !== 'formed' && cause !== 'urgent' && cause !== 'direct merge') return
          const limit = cause === 'formed' ? targetSize() : 1
          judge(members.length <= limit, seen, () => ({
            story: `Group ${group} was formed of ${pullRequests(members)}, where ${limit} may be tested together.`,
            pullRequests: members,
          }))
          const urgent = members.find((number) => wishes.get(number)?.priority === urgentPriority)
          judge(members.length === 1 || urgent === undefined, seen, () => ({
            story: `Group ${group} was formed of ${pullRequests(members)}, and ${urgent ?? 0} is urgent.`,
            pullRequests: members,
          }))
        },
        testRunStarted({ run }, seen) {
          if (run.owner.kind !== 'main') return
          const alone = run.tested.length > 1 ? run.tested.find(mustBeAlone) : undefined
          judge(alone === undefined, seen, () => ({
            story: `Run ${run.id} tests ${pullRequests(run.tested)} together, and ${alone ?? 0} is to be tested alone.`,
            pullRequests: run.tested,
          }))
        },
      },
      atCommand() {
        endedAsFlake = false
      },
    })
  },
}
