import type { BisectionId } from '../../engine/index.ts'
import { extend, type CompositionNode } from '../ledger/composition.ts'
import type { Property } from '../observe/property.ts'
import { pullRequests } from './wording.ts'

/**
 * Rule: E-76. With one slot a batch of n costs at most 2n - 1 runs, its own included. The property
 * counts different compositions with a result: confirmations, lost runs and requested repetitions
 * do not count. It stops counting when a member leaves the queue, because that voids earlier
 * results.
 */
export const bisectionStaysCheap: Property = {
  name: 'bisection-stays-cheap',
  sentence:
    'With one slot the bisection of a batch of n takes at most 2n - 1 runs, its own included.',
  watch({ check, ledger }) {
    const { settings } = ledger
    /** The compositions tested in each bisection that had one slot all the time. */
    const tested = new Map<BisectionId, Set<CompositionNode>>()
    const hasOneSlot = (): boolean => {
      const { concurrency, bisectionConcurrency } = settings.configuration
      return (bisectionConcurrency ?? concurrency) === 1
    }

    return {
      isActive: () => tested.size > 0,
      on: {
        bisectionStarted({ bisection, members, overtaken }) {
          const { branch } = ledger
          const batch = extend(branch.composition, branch.contentsOf(members))
          // A run on an older branch says nothing here, and is not counted.
          if (hasOneSlot()) tested.set(bisection, new Set(overtaken ? [] : [batch]))
        },
        queueConfigured() {
          // The number of slots may have changed: only bisections that start from now on count.
          tested.clear()
        },
        bisectionVerdictReached({ bisection, run }, point) {
          const runs = tested.get(bisection)
          const bisectionRecord = ledger.bisections.all.get(bisection)
          const record = ledger.runs.find(run.id)
          if (!runs || !bisectionRecord || bisectionRecord.hasLostMember || !record) return
          runs.add(record.fullComposition)
          const { members } = bisectionRecord
          check(runs.size <= 2 * members.length - 1, point, () => ({
            story: `Run ${run.id} was number ${runs.size} for the failed batch of ${pullRequests(members)}, but ${2 * members.length - 1} are enough.`,
            pullRequests: members,
          }))
        },
        bisectionEnded: ({ bisection }) => void tested.delete(bisection),
      },
    }
  },
}
