import type { EventOf, GroupId, TestRun } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-229, E-230, E-232, E-233. Where the branch is tested by itself, somebody is FAILED by a run only if
 * something has passed without it. What a push has broken fails in every run, and so convicts nobody.
 */
export const nobodyLeavesForTheBranch: Property = {
  name: 'nobody-leaves-for-the-branch',
  sentence:
    'Where the branch is tested by itself, nobody is FAILED for what a push broke or before something passed without it; while the branch fails only who is urgent starts, and it is not tested without need.',
  watch({ check, leaveOut, ledger, knowsTruth }) {
    const { tips, branch, bisections, line, runs, verdicts, trueBranch } = ledger

    const isExplained = ({ number, evidence }: EventOf<'pullRequestMoved'>): boolean => {
      const home = bisections.of(number)
      if (!home) return !tips.failure && tips.isSound(branch.number, branch.composition)
      return evidence?.passedWithout !== null || tips.isSound(home.tip, home.baseTip)
    }
    const isBroken = ({ number, evidence }: EventOf<'pullRequestMoved'>): boolean => {
      const record = runs.find(evidence?.failedIn ?? null)
      if (!knowsTruth || record?.outcome !== 'failed' || record.isFlake) return false
      const { base, tested, tip } = record.run
      const held = [...base, ...tested]
      return trueBranch.isBrokenByPush(held.slice(0, held.indexOf(number)), tip)
    }
    /** Its run began before the branch was mended in another lane, and counts (E-230). */
    const isMendedInOtherLane = (number: number): boolean =>
      ledger.settings.configuration.mode === 'parallel' &&
      !bisections.of(number) &&
      !trueBranch.isBrokenByPush()
    const judge = (event: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { number, to, evidence } = event
      if (to !== 'FAILED' || typeof evidence?.failedIn !== 'number') return
      const isForPush = isBroken(event)
      if (!tips.isOn || (isForPush && isMendedInOtherLane(number))) return leaveOut()
      const fault = isForPush
        ? 'a push has broken what it was tested on'
        : isExplained(event)
          ? null
          : 'nothing has passed without it'
      check(fault === null, point, () => ({
        story: `Pull request ${number} FAILED at ${minute(point.at)} for run ${evidence.failedIn ?? 0}, although ${fault ?? ''}.`,
        pullRequests: [number],
      }))
    }
    const start = ({ run }: EventOf<'testRunStarted'>, point: Point): void => {
      if (run.owner.kind === 'tip') {
        const doubt = doubtOf(run, point)
        check(doubt === null, point, () => ({
          story: `Run ${run.id} tests the branch by itself at ${minute(point.at)}, although ${doubt ?? ''}.`,
          pullRequests: [],
        }))
      } else if (tips.failure) {
        check(run.owner.kind === 'main' && isUrgent(run.owner.group), point, () => ({
          story: `Run ${run.id} of ${pullRequests(run.tested)} started at ${minute(point.at)}, although the branch fails by itself.`,
          pullRequests: run.tested,
        }))
      }
    }
    const isUrgent = (group: GroupId): boolean => line.group(group)?.isUrgent === true
    /** Why the branch need not be tested by itself; null if it is to be. */
    const doubtOf = (run: TestRun, { at }: Point): string | null => {
      if (!tips.isOn) return 'that is not asked for'
      if (tips.failure) {
        const isEarly = tips.failure.tip === run.tip && at < (tips.failure.failure?.notBefore ?? 0)
        return isEarly ? 'it failed a moment ago' : null
      }
      const passed = verdicts.of(branch.composition).map(({ run: id }) => id)
      const isKnown = run.tip === branch.number && tips.passedIn !== null
      if (isKnown && passed.includes(tips.passedIn)) return 'it has passed by itself'
      const hasFailed = line.groups.some(({ status }) => status === 'failed' || status === 'aside')
      return hasFailed || bisections.all.size > 0 ? null : 'nobody has failed'
    }

    return {
      on: {
        testRunStarted: start,
        groupPlaced({ cause, members }, point) {
          if (cause !== 'formed') return
          check(!tips.failure, point, () => ({
            story: `${pullRequests(members)} entered the line at ${minute(point.at)}, although the branch fails by itself.`,
            pullRequests: members,
          }))
        },
        pullRequestMoved: judge,
      },
    }
  },
}
