import type { EventOf } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rule: E-208. Somebody who pushes to the target branch during a merge is nobody's failure in the
 * queue: the one that was merging is tested again, unless a cancel of it was stored.
 */
export const aMovedBranchFailsNobody: Property = {
  name: 'a-moved-branch-fails-nobody',
  sentence:
    'After the code host has answered that the target branch moved, the pull request that it was merging is tested again with the rest of its group, without those that were cancelled meanwhile; nobody is FAILED for it.',
  watch({ check, ledger }) {
    /** The pull requests that are to be tested again because of the current command. */
    const expected = new Set<number>()
    let isJudging = false
    /** The pull requests that were cancelled during their own merge. */
    const cancelled = new Set<number>()
    const isMoved = ({ step: { command } }: Point): boolean =>
      command.type === 'finishMerge' && command.refused === 'TARGET_BRANCH_MOVED'

    const forbidFailure = (event: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { number, evidence, reason } = event
      // What starts now may conflict as text with what has merged.
      const isConflict =
        reason === 'START_TEST_RUN_MERGE_CONFLICT' && ledger.conflicts.of(number).size > 0
      const isOwn = isConflict || evidence?.failedIn !== null
      check(!expected.has(number) && isOwn, point, () => ({
        story: `Pull request ${number} was FAILED at ${minute(point.at)}, because the target branch had moved during a merge.`,
        pullRequests: [number],
      }))
    }

    return {
      atCommand() {
        expected.clear()
        isJudging = false
      },
      isActive: () => isJudging,
      on: {
        departureDeferred: ({ number }) => void cancelled.add(number),
        pullRequestSubmitted: ({ number }) => void cancelled.delete(number),
        pullRequestEnded(event, point) {
          if (event.to === 'FAILED' && isMoved(point)) forbidFailure(event, point)
          cancelled.delete(event.number)
        },
        mergeRefused({ group }, point) {
          if (!isMoved(point)) return
          isJudging = true
          for (const member of ledger.line.group(group)?.members ?? []) expected.add(member)
          for (const number of cancelled) expected.delete(number)
        },
        groupRestarted({ group }) {
          for (const member of ledger.line.group(group)?.members ?? []) expected.delete(member)
        },
      },
      atRest(point) {
        if (!isMoved(point)) return
        check(expected.size === 0, point, () => ({
          story: `At ${minute(point.at)} the target branch had moved, and nobody tests ${pullRequests([...expected])} again.`,
          pullRequests: [...expected],
        }))
      },
    }
  },
}
