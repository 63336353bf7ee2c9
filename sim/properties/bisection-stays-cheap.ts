import { type BisectionId, bisectionSlots } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { pullRequests } from './wording.ts'

/**
 * Rule: E-76. With one slot a batch of n costs at most 2n - 1 runs, its own included. The property
 * counts different compositions with a verdict: confirmations, lost runs and requested repetitions
 * do not count. It stops counting when a member leaves the queue, because that voids earlier
 * results.
 */
export const bisectionStaysCheap: Property = {
  name: 'bisection-stays-cheap',
  sentence:
    'With one slot the bisection of a batch of n takes at most 2n - 1 runs, its own included.',
  watch({ check, ledger: { queue } }) {
    /** The bisections that had one slot all the time. */
    const counted = new Set<BisectionId>()
    return {
      isActive: () => counted.size > 0,
      on: {
        bisectionStarted({ bisection }) {
          if (bisectionSlots(queue.configuration) === 1) counted.add(bisection)
        },
        queueConfigured() {
          // The number of slots may have changed: only bisections that start from now on count.
          counted.clear()
        },
        bisectionVerdictReached({ bisection: id, run }, point) {
          const bisection = queue.bisections.find((each) => each.id === id)
          if (!bisection || bisection.departed > 0 || !counted.has(id)) return
          const members = Object.keys(bisection.submissions).map(Number)
          const earlier = Object.keys(bisection.verdicts)
          const isNew = run.owner.kind === 'bisection' && !earlier.includes(run.composition)
          const runs = earlier.length + (isNew ? 1 : 0)
          check(runs <= 2 * members.length - 1, point, () => ({
            story: `Run ${run.id} was number ${runs} for the failed batch of ${pullRequests(members)}, but ${2 * members.length - 1} are enough.`,
            pullRequests: members,
          }))
        },
        bisectionEnded: ({ bisection }) => void counted.delete(bisection),
      },
    }
  },
}
