import type { Property } from '../observe/property.ts'
import { minute, pullRequests } from './wording.ts'

/** Rule: E-18. Checked when a group enters the line. */
export const onlyTheReadyStart: Property = {
  name: 'only-the-ready-start',
  sentence:
    'No pull request enters the line that the code host reports as not mergeable, or, in parallel mode, whose targets are not known.',
  watch({ check, ledger }) {
    const { settings } = ledger
    const unmergeable = new Set<number>()
    const withTargets = new Set<number>()
    const isReady = (number: number): boolean =>
      !unmergeable.has(number) &&
      (settings.configuration.mode === 'single' || withTargets.has(number))

    return {
      isActive: () => unmergeable.size > 0 || settings.configuration.mode === 'parallel',
      on: {
        pullRequestReported({ number, mergeable }) {
          if (mergeable === false) unmergeable.add(number)
          else if (mergeable === true) unmergeable.delete(number)
        },
        impactedTargetsSet: ({ number }) => void withTargets.add(number),
        pullRequestForgotten({ number }) {
          unmergeable.delete(number)
          withTargets.delete(number)
        },
        groupPlaced({ members, cause }, point) {
          if (cause === 'survivors' || cause === 'proven') return
          check(members.every(isReady), point, () => ({
            story: `At ${minute(point.at)} ${pullRequests(members)} entered the line, but not all of them are ready.`,
            pullRequests: members,
          }))
        },
      },
    }
  },
}
