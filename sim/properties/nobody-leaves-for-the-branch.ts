import { testsTip, type EventOf } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/**
 * Rules: E-229, E-230, E-236, E-237. When the branch is tested by itself, and what stops meanwhile, is judged
 * by the model.
 */
export const nobodyLeavesForTheBranch: Property = {
  name: 'nobody-leaves-for-the-branch',
  sentence: 'Where the branch is tested by itself, nobody is FAILED for what a push broke.',
  watch({ check, ledger, knowsTruth }) {
    if (!knowsTruth) return null
    const { queue, trueBranch } = ledger

    const isForPush = (number: number, failedIn: number, at: number): boolean => {
      const record = ledger.run(failedIn)
      if (record?.outcome !== 'failed' || record.isFlake) return false
      if (ledger.quarantine.changedFor(number, at)) return false
      const { base, tested, tip } = record.run
      const held = [...base, ...tested]
      return trueBranch.isBrokenByPush(held.slice(0, held.indexOf(number)), tip)
    }
    const judge = (event: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { number, to, evidence } = event
      const failedIn = evidence?.failedIn
      if (to !== 'FAILED' || typeof failedIn !== 'number') return
      if (!testsTip(queue)) return
      check(!isForPush(number, failedIn, point.at), point, () => ({
        story: `Pull request ${number} FAILED at ${minute(point.at)} for run ${failedIn}, although a push has broken what it was tested on.`,
        pullRequests: [number],
      }))
    }
    return {
      isActive: () => testsTip(queue),
      on: { pullRequestMoved: judge },
    }
  },
}
