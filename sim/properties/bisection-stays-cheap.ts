import type { BisectionId } from '../../engine/index.ts'
import { extend, type Composition } from './model/composition.ts'
import type { Property } from './property.ts'
import { pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher } from './watching.ts'

/**
 * Spec, "Bisection" (split sizes): with one slot a batch of n costs at most 2n - 1 runs, its own
 * included. Counted are different compositions with a result: confirmations, lost runs and
 * repeats that somebody asked for come on top. Not so once a member has left by itself, for then
 * what was known is void and has to be found again.
 */
export const bisectionStaysCheap: Property = {
  name: 'bisection-stays-cheap',
  sentence:
    'With one slot the bisection of a batch of n takes at most 2n - 1 runs, its own included.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const { settings } = books
    /** What was tested in each bisection that had one slot all the time. */
    const tested = new Map<BisectionId, Set<Composition>>()
    const hasOneSlot = (): boolean => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      return (bisectionConcurrency ?? concurrency) === 1
    }

    return watcher(setting, {
      on: {
        bisectionStarted({ bisection, members }) {
          const { branch } = books
          const batch = extend(branch.composition, branch.contentsOf(members))
          if (hasOneSlot()) tested.set(bisection, new Set([batch]))
        },
        queueConfigured() {
          // The setting has not been taken over yet: only bisections begun from now on are sure.
          tested.clear()
        },
        bisectionVerdictReached({ bisection, run }, seen) {
          const runs = tested.get(bisection)
          const bisected = books.bisections.all.get(bisection)
          const record = books.runs.find(run.id)
          if (!runs || !bisected || bisected.hasLostMember || !record) return
          runs.add(record.whole)
          const { members } = bisected
          judge(runs.size <= 2 * members.length - 1, seen, () => ({
            story: `Run ${run.id} was number ${runs.size} for the failed batch of ${pullRequests(members)}, where ${2 * members.length - 1} must do.`,
            pullRequests: members,
          }))
        },
        bisectionEnded: ({ bisection }) => void tested.delete(bisection),
      },
    })
  },
}
