import type { EventOf, PullRequestNumber } from '../../engine/index.ts'
import { urgentPriority } from '../ledger/waiting-list.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/**
 * Rules: E-200, E-201. Both sides: nobody is FAILED too early, and nobody is looked at once more
 * without need. That no run of a bisection is repeated without need is checked by
 * bisection-never-repeats.
 */
export const oddsConvict: Property = {
  name: 'odds-convict',
  sentence:
    'With the adaptive policy nobody is FAILED for failed tests before the odds are 10 to 1 or five runs have failed, and a single pull request is bisected if and only if they are lower.',
  watch({ check, ledger }) {
    const { odds, bisections, runs, line, settings } = ledger
    const urgent = new Set<PullRequestNumber>()

    const note = ({ number, priority }: { number: PullRequestNumber; priority: number }): void => {
      if (priority === urgentPriority) urgent.add(number)
      else urgent.delete(number)
    }
    const mayBeBisected = ({ group, members }: EventOf<'bisectionStarted'>): boolean => {
      const [number, ...others] = members
      if (number === undefined || others.length > 0) return true
      const failed = runs.find(line.group(group)?.run?.id ?? null)
      return failed?.outcome === 'failed' && !urgent.has(number) && odds.areLowForSingle()
    }
    const mayBeFailed = (number: PullRequestNumber): boolean => {
      const bisection = bisections.of(number)
      if (bisection) return !odds.areLow(bisection)
      return urgent.has(number) || !odds.areLowForSingle()
    }
    const checkFailure = (
      { number, to, reason }: EventOf<'pullRequestMoved'>,
      point: Point,
    ): void => {
      const isByTests =
        reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' || reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION'
      if (to !== 'FAILED' || !isByTests || settings.configuration.policy === 'documented') return
      check(mayBeFailed(number), point, () => ({
        story: `Pull request ${number} FAILED at ${minute(point.at)}, although it is not 10 times as probable that it breaks the tests as that they flaked.`,
        pullRequests: [number],
      }))
    }

    return {
      on: {
        pullRequestSubmitted: note,
        pullRequestRewritten: note,
        bisectionStarted(event, point) {
          const { members } = event
          check(mayBeBisected(event), point, () => ({
            story: `At ${minute(point.at)} pull request ${members[0] ?? 0} is looked at once more, although its failure convicts it.`,
            pullRequests: members,
          }))
        },
        pullRequestEnded: checkFailure,
      },
    }
  },
}
