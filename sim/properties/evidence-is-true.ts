import type { Evidence, EventOf, Reason } from '../../engine/index.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'

/** The outcome of the run behind each reason of FAILED. Reasons without a run are left out. */
const outcomeOf: Readonly<Partial<Record<Reason, RunRecord['outcome']>>> = {
  TEST_RUN_REQUIRED_STATUS_FAILED: 'failed',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'failed',
  TEST_RUN_TIMEOUT: 'timed_out',
  START_TEST_RUN_RETRY_EXHAUSTED: 'errored',
}

/**
 * Rules: E-21, E-73, E-74. For each pull request that FAILED, the evidence names the run that
 * failed with it, and, if there is one, the run that passed on exactly the same without it.
 */
export const evidenceIsTrue: Property = {
  name: 'evidence-is-true',
  sentence:
    'FAILED names a run that tested the pull request and failed in the way that the reason says; a run named as passed did pass on the same without it.',
  watch({ check, ledger }) {
    const faultOf = (move: EventOf<'pullRequestMoved'>): string | null => {
      const { evidence, to } = move
      if (to !== 'FAILED') return evidence ? 'evidence came with a move that is no failure' : null
      if (!evidence) return 'no evidence came with it'
      return faultOfFailure(move, evidence) ?? faultOfContrast(evidence)
    }
    const faultOfFailure = (
      { number, reason }: EventOf<'pullRequestMoved'>,
      { failedIn }: Evidence,
    ): string | null => {
      const outcome = reason === null ? undefined : outcomeOf[reason]
      if (outcome === undefined)
        return failedIn === null ? null : 'the reason has no run, and one is named'
      const record = ledger.runs.find(failedIn)
      if (!record) return `run ${failedIn ?? 'none'} is not known`
      const { run } = record
      if (!run.tested.includes(number)) return `run ${run.id} did not test it`
      if (record.outcome !== outcome) return `run ${run.id} ended as ${record.outcome ?? 'nothing'}`
      // By elimination: in a bisection, with the run of the batch as the only evidence.
      const isEliminated = run.owner.kind === 'main' && ledger.bisections.of(number) !== undefined
      return isEliminated === (reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION')
        ? null
        : `run ${run.id} does not fit that reason`
    }
    const faultOfContrast = ({ failedIn, passedWithout }: Evidence): string | null => {
      if (passedWithout === null) return null
      const [failed, passed] = [ledger.runs.find(failedIn), ledger.runs.find(passedWithout)]
      if (passed?.outcome !== 'passed') return `run ${passedWithout} has not passed`
      // While a main run was under way, other lanes may have landed, in any order.
      const isLane =
        ledger.settings.configuration.mode === 'parallel' && failed?.run.owner.kind === 'main'
      const isSame =
        isLane || (failed !== undefined && passed.fullComposition === failed.compositionBelow)
      return isSame ? null : `run ${passedWithout} did not test the same without it`
    }

    const checkRun = (event: EventOf<'pullRequestMoved'>, point: Point): void => {
      const { number, reason } = event
      const fault = faultOf(event)
      check(fault === null, point, () => ({
        story: `Pull request ${number} FAILED (${reason ?? 'no reason'}), but ${fault ?? ''}.`,
        pullRequests: [number],
      }))
    }

    return {
      on: {
        pullRequestMoved(event, point) {
          if (event.to === 'FAILED' || event.evidence) checkRun(event, point)
        },
      },
    }
  },
}
