import type { EventOf } from '../../engine/index.ts'
import { pastBranch } from '../ledger/past-branch.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import { checkByTruth } from './check-by-truth.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { listed } from './wording.ts'

/**
 * Rule: E-112. That no pull request merges which breaks the branch is checked by trunk-stays-green.
 *
 * A pull request that FAILED for its tests must break its base: what the convicting run held below
 * it passes, and fails with it. This also holds where pull requests break only together or repair
 * each other: the search for the first failing prefix shows exactly this of the culprit, although
 * in another order another pull request might be it. The only exception is a branch that was broken
 * before (by a merge by hand, or one that E-111 excepts): no test can show then which pull request
 * breaks it. In parallel mode that is the branch on which the run was made, which may hold half a
 * batch of another lane. There, optimistic merging may also merge a change that another lane
 * repairs: a run on it without the repair fails.
 */
export const judgedByTruth: Property = {
  name: 'judged-by-truth',
  sentence:
    'With honest tests a pull request is FAILED only if it breaks its base, and for a text conflict only if it has one.',
  watch({ check, ledger, truth, hasHonestTests }) {
    const checkTruth = checkByTruth({ check, ledger })
    const past = pastBranch(truth, ledger)
    const conflicts = new Map<number, Set<number>>()
    /** Pull requests that a run on top of them has cleared. */
    const cleared = new Set<number>()
    /** Refused by the code host in this command: the host's decision, not the engine's. */
    let refused: number | null = null

    const wasBrokenBefore = ({ run, compositionBelow }: RunRecord, number: number): boolean => {
      const bisectionRecord = ledger.bisections.of(number)
      if (bisectionRecord) return past.wouldBreak(bisectionRecord.tip, [])
      const hasLanes = ledger.settings.configuration.mode === 'parallel'
      if (hasLanes && past.wouldBreak(run.tip, [])) return true
      if (hasLanes && run.base.some((below) => cleared.has(below))) return true
      const { composition, number: tip } = ledger.branch
      return compositionBelow === composition && past.wouldBreak(tip, [])
    }
    const failedItsTests = (number: number, failedIn: number, point: Point): void => {
      const record = ledger.runs.find(failedIn)
      if (!record || wasBrokenBefore(record, number)) return
      const { run } = record
      const held = [...run.base, ...run.tested]
      const below = held.slice(0, held.indexOf(number))
      const { tip } = run
      const isAtFault = !past.wouldBreak(tip, below) && past.wouldBreak(tip, [...below, number])
      checkTruth(isAtFault, point, () => ({
        story: `Pull request ${number} FAILED for run ${failedIn}, but does not break its base: tip ${tip} with ${listed(below)}.`,
        pullRequests: [number, ...below],
      }))
    }
    const failedForConflict = (number: number, point: Point): void => {
      if (refused === number) return
      const hasConflict = [...(conflicts.get(number) ?? [])].some(
        (other) => ledger.trueBranch.holds(other) && truth.conflict(number, other),
      )
      checkTruth(hasConflict, point, () => ({
        story: `Pull request ${number} FAILED for a text conflict, but conflicts with nothing on the branch.`,
        pullRequests: [number],
      }))
    }
    const addConflict = (a: number, b: number): void => {
      const known = conflicts.get(a) ?? new Set()
      conflicts.set(a, known.add(b))
    }
    const isAboutTests = ({ reason }: EventOf<'pullRequestMoved'>): boolean =>
      reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' || reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION'

    return {
      on: {
        pullRequestReported({ number, conflictsWith = [] }) {
          for (const other of conflictsWith) {
            addConflict(number, other)
            addConflict(other, number)
          }
        },
        tipMoved: ({ number }) => past.land(number),
        groupPassed({ group, run }) {
          const isOwn = run.owner.kind === 'main' && run.owner.group === group
          const members = isOwn ? [] : (ledger.line.group(group)?.members ?? [])
          for (const number of members) cleared.add(number)
        },
        mergeRefused: ({ number }) => void (refused = number),
        pullRequestEnded(event, point) {
          const { number, to, reason, evidence } = event
          if (to !== 'FAILED') return
          if (reason === 'START_TEST_RUN_MERGE_CONFLICT') failedForConflict(number, point)
          const failedIn = evidence?.failedIn ?? null
          if (!hasHonestTests || failedIn === null || !isAboutTests(event)) return
          failedItsTests(number, failedIn, point)
        },
      },
      atCommand() {
        refused = null
      },
    }
  },
}
