import type { BisectionId } from '../../engine/index.ts'
import type { BisectionRecord } from '../ledger/bisections.ts'
import type { LineGroup } from '../ledger/line.ts'
import { predecessorsOf } from '../ledger/predecessors.ts'
import { shareTarget } from '../ledger/targets.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rule: E-88, the side that survivors are not tested again without need. That they merge only on
 * the state on which they were proven is checked by `trunk-stays-green` and `verdicts-stay-fresh`.
 */
export const survivorsMergeAtOnce: Property = {
  name: 'survivors-merge-at-once',
  sentence:
    'Proven members of a bisection go on to merge at once, without another run, whenever the branch and the line allow it.',
  watch({ check, ledger }) {
    const { settings, line } = ledger

    /** Whether the branch is still what the members were proven on. */
    const isProofValid = ({ id, isTipMoved, handedOver }: BisectionRecord): boolean =>
      !isTipMoved && handedOver.every((number) => isMergingAsProven(line.groupOf(number), id))
    /** Whether the group has a run or a verdict on the branch without the proven members. */
    const standsOnTip = (group: LineGroup, { id, touched }: BisectionRecord): boolean => {
      if (isMergingAsProven(group, id)) return false
      if (group.status === 'waiting' || group.status === 'conflicted') return false
      return [group, ...predecessorsOf(line.groups, group)].some((each) =>
        shareTarget(each.touched, touched),
      )
    }
    const isBehindAnother = ({ id, touched }: BisectionRecord): boolean => {
      if (settings.configuration.canOptimisticallyMerge) return false
      for (const other of ledger.bisections.all.values()) {
        if (other.id < id && shareTarget(other.touched, touched)) return true
      }
      return false
    }
    const review = (bisectionRecord: BisectionRecord, point: Point): void => {
      const { proven } = bisectionRecord
      if (proven.length === 0) return
      const mayMerge =
        isProofValid(bisectionRecord) &&
        !isBehindAnother(bisectionRecord) &&
        !line.groups.some((group) => standsOnTip(group, bisectionRecord))
      check(!mayMerge, point, () => ({
        story: `At ${minute(point.at)} the bisection has proven ${pullRequests(proven)}, which may merge and did not.`,
        pullRequests: proven,
      }))
    }

    return {
      on: {
        // What is proven and does not merge now is tested again.
        bisectionEnded({ bisection }, point) {
          const bisectionRecord = ledger.bisections.all.get(bisection)
          if (bisectionRecord) review(bisectionRecord, point)
        },
      },
      atRest(point) {
        for (const bisectionRecord of ledger.bisections.all.values()) review(bisectionRecord, point)
      },
    }
  },
}

/** Whether the bisection has proven the group, and it has not been restarted since. */
function isMergingAsProven(group: LineGroup | undefined, id: BisectionId): boolean {
  return group?.provenBy === id && group.run?.owner.kind === 'bisection'
}
