import type { PullRequestNumber } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { pullRequests } from './wording.ts'

/** Rules: E-261, E-264. A merge by hand is decided by a person. */
export const stacksStayWhole: Property = {
  name: 'stacks-stay-whole',
  sentence:
    'No pull request lands before what it depends on, and none stays in the queue when that has left without landing.',
  watch({ check }) {
    /** Of those in the queue. */
    const dependsOn = new Map<PullRequestNumber, readonly PullRequestNumber[]>()
    const landed = new Set<PullRequestNumber>()
    const left = new Set<PullRequestNumber>()
    return {
      on: {
        pullRequestSubmitted({ number, dependsOn: below = [] }) {
          if (below.length > 0) dependsOn.set(number, below)
          // What had left before, also in this command, does not take it along: it waits for that.
          for (const each of [number, ...below]) left.delete(each)
        },
        tipMoved: ({ number }) => void (number !== null && landed.add(number)),
        pullRequestEnded({ number, to, reason }, point) {
          const missing = (dependsOn.get(number) ?? []).filter((below) => !landed.has(below))
          dependsOn.delete(number)
          if (to !== 'MERGED') left.add(number)
          const isWhole = to !== 'MERGED' || reason === 'MANUAL_MERGE' || missing.length === 0
          check(isWhole, point, () => ({
            story: `Pull request ${number} landed, and it depends on ${pullRequests(missing)}, not on the branch yet.`,
            pullRequests: [number, ...missing],
          }))
        },
      },
      atRest(point) {
        if (left.size === 0) return
        for (const [number, below] of dependsOn) {
          const gone = below.filter((each) => left.has(each) && !landed.has(each))
          check(gone.length === 0, point, () => ({
            story: `Pull request ${number} stayed in the queue when ${pullRequests(gone)}, on which it depends, had left.`,
            pullRequests: [number, ...gone],
          }))
        }
        left.clear()
      },
    }
  },
}
