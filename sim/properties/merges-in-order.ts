import type { BisectionRecord } from '../ledger/bisections.ts'
import type { LineGroup } from '../ledger/line-group.ts'
import { firstPredecessorOf } from '../ledger/predecessors.ts'
import { shareTarget } from '../ledger/targets.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { pullRequests } from './wording.ts'

/**
 * Rules: E-43, E-53, E-114, E-188. An urgent group is ahead of a failed batch, not behind it: it entered
 * at the head of the line.
 */
export const mergesInOrder: Property = {
  name: 'merges-in-order',
  sentence:
    'Pull requests merge one commit each and in order; without optimistic merging none merges past a failure that is still being bisected.',
  watch({ check, ledger }) {
    const { settings } = ledger
    /** The pull request whose commit has landed, and which has not become MERGED yet. */
    let landed: number | null = null

    const unhandledFailureAheadOf = (group: LineGroup): BisectionRecord | undefined => {
      if (settings.configuration.canOptimisticallyMerge || group.isUrgent) return undefined
      const all = [...ledger.bisections.all.values()]
      return all.find(
        ({ id, touched }) =>
          (group.provenBy === null || id < group.provenBy) && shareTarget(touched, group.touched),
      )
    }
    const failureAsideOf = (group: LineGroup): LineGroup | undefined => {
      if (settings.configuration.canOptimisticallyMerge || group.isUrgent) return undefined
      return ledger.line.groups
        .slice(0, ledger.line.groups.indexOf(group))
        .find(({ status, touched }) => status === 'aside' && shareTarget(touched, group.touched))
    }
    const comesNext = (number: number, point: Point): void => {
      const group = ledger.line.groupOf(number)
      check(group?.members[0] === number, point, () => ({
        story: `Pull request ${number} was to merge, but is not the next of any group in the line.`,
        pullRequests: [number],
      }))
      if (!group) return
      // A group that is partly merged is finished, and a merge that was requested may land.
      const isDecided = group.isPartlyMerged || group.merging.includes(number)
      const ahead = isDecided ? undefined : firstPredecessorOf(ledger.line.groups, group)
      check(ahead === undefined, point, () => ({
        story: `Pull request ${number} was to merge while ${pullRequests(ahead?.members ?? [])} ahead had not.`,
        pullRequests: [number, ...(ahead?.members ?? [])],
      }))
      const failure = isDecided ? undefined : unhandledFailureAheadOf(group)
      check(failure === undefined, point, () => ({
        story: `Pull request ${number} was to merge while the failure of ${pullRequests(failure?.members ?? [])} ahead was still being bisected.`,
        pullRequests: [number, ...(failure?.members ?? [])],
      }))
      const aside = isDecided ? undefined : failureAsideOf(group)
      check(aside === undefined, point, () => ({
        story: `Pull request ${number} was to merge while the failure of ${pullRequests(aside?.members ?? [])} ahead was not settled.`,
        pullRequests: [number, ...(aside?.members ?? [])],
      }))
    }

    return {
      on: {
        mergeRequested: ({ number }, point) => comesNext(number, point),
        tipMoved({ tip, number }, point) {
          const next = ledger.branch.number + 1
          check(tip === next && landed === null, point, () => {
            const commit = `Commit ${tip} (${number === null ? 'a push' : `pull request ${number}`})`
            const story =
              tip === next
                ? `${commit} landed before pull request ${landed ?? 0}, whose commit had landed, became MERGED.`
                : `${commit} landed, but commit ${next} was next.`
            return { story, pullRequests: number === null ? [] : [number] }
          })
          landed = number
        },
        pullRequestEnded({ number, to, reason }, point) {
          if (to !== 'MERGED') return
          check(landed === number, point, () => ({
            story: `Pull request ${number} became MERGED, but its commit had not landed.`,
            pullRequests: [number],
          }))
          landed = null
          if (reason !== 'MANUAL_MERGE') comesNext(number, point)
        },
      },
      atRest(point) {
        check(landed === null, point, () => ({
          story: `The commit of pull request ${landed ?? 0} landed, but the pull request did not become MERGED.`,
          pullRequests: landed === null ? [] : [landed],
        }))
      },
    }
  },
}
