import type { BisectionRecord } from '../ledger/bisections.ts'
import { isMergingAsProven, type LineGroup } from '../ledger/line-group.ts'
import { predecessorsOf } from '../ledger/predecessors.ts'
import { shareTarget } from '../ledger/targets.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-88, E-184. Both sides: survivors are not tested again without need, and do not merge
 * where the rule does not allow it.
 */
export const survivorsMergeAtOnce: Property = {
  name: 'survivors-merge-at-once',
  sentence:
    'Proven members of a bisection go on to merge at once, without another run, if and only if the branch and the line allow it.',
  watch({ check, ledger }) {
    const { settings, line } = ledger

    /** Whether the branch is still what the members were proven on. */
    const isProofValid = ({ id, isTipMoved, handedOver }: BisectionRecord): boolean =>
      !isTipMoved && handedOver.every((number) => isMergingAsProven(line.groupOf(number), id))
    /**
     * Whether the group has a run or a verdict on the branch without the proven members. A lost run
     * that is to be repeated counts as well.
     */
    const standsOnTip = (group: LineGroup, { id, touched }: BisectionRecord): boolean => {
      if (isMergingAsProven(group, id)) return false
      const hasRun = group.status === 'waiting' ? group.notBefore !== null : group.run !== null
      if (!hasRun && group.status !== 'passed') return false
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
    const mayMerge = (bisectionRecord: BisectionRecord): boolean =>
      isProofValid(bisectionRecord) &&
      !isBehindAnother(bisectionRecord) &&
      !line.groups.some((group) => standsOnTip(group, bisectionRecord))
    const review = (bisectionRecord: BisectionRecord, point: Point): void => {
      const { proven } = bisectionRecord
      if (proven.length === 0) return
      check(!mayMerge(bisectionRecord), point, () => ({
        story: `At ${minute(point.at)} the bisection has proven ${pullRequests(proven)}, which may merge and did not.`,
        pullRequests: proven,
      }))
    }

    return {
      on: {
        groupPlaced({ members, cause, bisection }, point) {
          const bisectionRecord = ledger.bisections.all.get(bisection ?? 0)
          if (cause !== 'proven' || !bisectionRecord) return
          check(mayMerge(bisectionRecord), point, () => ({
            story: `At ${minute(point.at)} ${pullRequests(members)} went on to merge without another run, although the branch or the line does not allow it.`,
            pullRequests: members,
          }))
        },
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
