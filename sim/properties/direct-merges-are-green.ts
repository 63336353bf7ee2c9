import { shareTarget, type TargetSet } from '../ledger/targets.ts'
import { comesBefore } from '../ledger/waiting-list.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-40, E-41, E-227. The code host reports a pull request green on the current tip. The next commit
 * voids that report. Both sides: no other pull request merges without a run, and none of these is
 * tested. That nothing is ahead of it is checked by `starts-in-order`.
 */
export const directMergesAreGreen: Property = {
  name: 'direct-merges-are-green',
  sentence:
    'Where direct merging is on, a pull request merges without a run at once if the code host reports it green on the current tip and nothing is ahead of it, and else none does.',
  watch({ check, ledger }) {
    const { settings } = ledger
    const green = new Set<number>()
    /** The head commit of the last submission; undefined if it named none. */
    const shas = new Map<number, string | undefined>()

    /** Whether a pull request is green, waits, and has nothing ahead that shares a target. */
    const mayMerge = (number: number): boolean => {
      const { waiting, targets, line, bisections } = ledger
      const own = waiting.find(number)
      if (!green.has(number) || !own || own.pendingSince === null) return false
      const touched = targets.of([number])
      const isShared = (other: TargetSet): boolean => shareTarget(other, touched)
      if (line.groups.some((group) => isShared(group.touched))) return false
      if ([...bisections.all.values()].some((bisection) => isShared(bisection.touched)))
        return false
      if (settings.configuration.mode === 'single') return waiting.next === own
      for (const ahead of waiting.all()) {
        const isAhead = ahead.pendingSince !== null && comesBefore(ahead, own) < 0
        if (isAhead && shareTarget(targets.of([ahead.number]), touched)) return false
      }
      return true
    }
    const isOn = (): boolean =>
      settings.state === 'RUNNING' && settings.configuration.directMergeMode === 'always'
    const forbidTests = (number: number | undefined, point: Point, what: string): void =>
      check(number === undefined, point, () => ({
        story: `At ${minute(point.at)} ${pullRequests([number ?? 0])} ${what}, although it may merge without a run.`,
        pullRequests: [number ?? 0],
      }))

    return {
      on: {
        pullRequestReported({ number, greenOnTip }) {
          if (greenOnTip === true) green.add(number)
          else if (greenOnTip === false) green.delete(number)
        },
        pullRequestSubmitted({ number, sha }) {
          // Other content than that which was reported (E-227).
          const isOther = sha !== undefined && shas.has(number) && shas.get(number) !== sha
          if (isOther) green.delete(number)
          shas.set(number, sha)
        },
        pullRequestForgotten: ({ number }) => void shas.delete(number),
        tipMoved: () => green.clear(),
        groupPlaced({ members, cause }, point) {
          if (cause === 'formed' || cause === 'urgent') {
            if (isOn()) forbidTests(members.find(mayMerge), point, 'enters the line for a run')
            return
          }
          if (cause !== 'direct merge') return
          const isAllowed = settings.configuration.directMergeMode === 'always'
          check(isAllowed && members.every((number) => green.has(number)), point, () => ({
            story: `At ${minute(point.at)} ${pullRequests(members)} was to merge without a run, ${isAllowed ? 'although not green on the current tip' : 'although direct merging is off'}.`,
            pullRequests: members,
          }))
        },
      },
      atRest(point) {
        if (green.size > 0 && isOn()) forbidTests([...green].find(mayMerge), point, 'waits')
      },
    }
  },
}
