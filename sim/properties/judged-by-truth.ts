import { type EventOf, testsTip } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/step.ts'
import { listed } from './wording.ts'

/**
 * Rule: E-112. That no pull request merges which breaks the branch is checked by trunk-stays-green.
 *
 * A pull request that FAILED for its tests must break its base: what the convicting run held below
 * it passes, and fails with it. This also holds where pull requests break only together or repair
 * each other: the search for the first failing prefix shows exactly this of the culprit, although
 * in another order another pull request might be it. Flakes only add failures, so only a convicting
 * run that itself flaked, timed out or was lost proves nothing. The other exceptions are a base that
 * was broken before, unless by a push and the branch is tested by itself (E-229, E-230, E-236, E-237), and a run that tested a pull request that clashes with another lane: whom that
 * hits depends on timing. What breaks only tests in quarantine breaks nothing, as long as the quarantine stays as it
 * was when the pull request was submitted.
 *
 * Of two that conflict as text, which one came first is a decision of the engine, and judged by the model.
 */
export const judgedByTruth: Property = {
  name: 'judged-by-truth',
  sentence:
    'A pull request is FAILED for a run that did not flake only if it breaks its base, and for a text conflict only if it conflicts with one that has merged.',
  watch({ check, leaveOut, ledger, truth, knowsTruth }) {
    const { trueBranch, brokenBases, laneClashes, quarantine } = ledger
    /** Refused by the code host in this command: the host's decision, not the engine's. */
    let refused: number | null = null
    /** A conflict of theirs was found by a build. A recording does not know with what. */
    const found = new Set<number>()

    const failedItsTests = (number: number, failedIn: number, point: Point): void => {
      const { run, outcome, isFlake } = ledger.run(failedIn) ?? {}
      const isProof = run && outcome === 'failed' && !isFlake
      if (!isProof || quarantine.changedFor(number, point.at)) {
        leaveOut()
        return
      }
      const held = [...run.base, ...run.tested]
      const below = held.slice(0, held.indexOf(number))
      const { tip } = run
      const isForPush = testsTip(ledger.queue) && trueBranch.isBrokenByPush(below, tip)
      if (!isForPush && (laneClashes.isIn(run) || brokenBases.isBelow(run))) {
        leaveOut()
        return
      }
      const isAtFault =
        !isForPush &&
        !trueBranch.wouldBreak(below, tip) &&
        trueBranch.wouldBreak([...below, number], tip)
      check(isAtFault, point, () => ({
        story: `Pull request ${number} FAILED for run ${failedIn}, but does not break its base: tip ${tip} with ${listed(below)}.`,
        pullRequests: [number, ...below],
      }))
    }
    const failedForConflict = (number: number, point: Point): void => {
      const isOnlyFound = !knowsTruth && found.has(number)
      if (refused === number || laneClashes.has(number) || isOnlyFound) {
        leaveOut()
        return
      }
      const conflicts = truth
        .relativesOf(number)
        .some((other) => trueBranch.holds(other) && truth.conflict(number, other))
      check(conflicts, point, () => ({
        story: `Pull request ${number} FAILED for a text conflict, but conflicts with nothing on the branch.`,
        pullRequests: [number],
      }))
    }
    const isAboutTests = ({ reason }: EventOf<'pullRequestMoved'>): boolean =>
      reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' || reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION'

    return {
      on: {
        mergeRefused: ({ number }) => void (refused = number),
        pullRequestEnded(event, point) {
          const { number, to, reason, evidence } = event
          if (to !== 'FAILED') return
          if (reason === 'START_TEST_RUN_MERGE_CONFLICT') failedForConflict(number, point)
          const failedIn = evidence?.failedIn ?? null
          if (knowsTruth && failedIn !== null && isAboutTests(event))
            failedItsTests(number, failedIn, point)
        },
      },
      atCommand({ step: { command } }) {
        refused = null
        if (command.type === 'reportUnbuildable') found.add(command.number)
      },
    }
  },
}
