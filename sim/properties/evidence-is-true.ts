import {
  testKey,
  testsTip,
  type Evidence,
  type EventOf,
  type Reason,
  type TestRunId,
} from '../../engine/index.ts'
import { provenState } from '../ledger/bisections.ts'
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
 * Rules: E-21, E-73, E-74, E-85, E-182. For each pull request that FAILED, the evidence names the run that
 * failed with it, the tests that failed in it, and the run that passed on exactly the same without
 * it. It names none only if none is known.
 */
export const evidenceIsTrue: Property = {
  name: 'evidence-is-true',
  sentence:
    'FAILED names a run that tested the pull request and failed in the way that the reason says, the tests that failed in it, and the last run that passed on the same without it; none if none is known.',
  watch({ check, ledger }) {
    const faultOf = (move: EventOf<'pullRequestMoved'>): string | null => {
      const { evidence, to } = move
      if (to !== 'FAILED') return evidence ? 'evidence came with a move that is no failure' : null
      if (!evidence) return 'no evidence came with it'
      return (
        faultOfFailure(move, evidence) ??
        faultOfContrast(move.number, evidence) ??
        faultOfTests(evidence)
      )
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
    const faultOfContrast = (
      number: number,
      { failedIn, passedWithout }: Evidence,
    ): string | null => {
      const failed = ledger.runs.find(failedIn)
      if (!failed)
        return passedWithout === null ? null : `run ${passedWithout} is named, and none failed`
      const right = contrastOf(number)
      if (passedWithout === right) return null
      const named = ledger.runs.find(passedWithout)
      if (named && named.outcome !== 'passed') return `run ${named.run.id} has not passed`
      return passedWithout === null
        ? `run ${right ?? 0} passed on the same without it, and none is named`
        : `run ${passedWithout} is not the last that passed on the same without it`
    }
    /**
     * The last run that passed on exactly the same without the pull request; null if none is known.
     * In a bisection, the same is the pinned tip with the proven members, and known are the runs of this
     * bisection that could change what is known when they ended. Else it is the branch, and the last 100 verdicts are known.
     */
    const contrastOf = (number: number): TestRunId | null => {
      const home = ledger.bisections.of(number)
      if (!home) return lastPass(ledger.verdicts.of(ledger.branch.composition))
      const same = provenState(home)
      const ended = [...ledger.runs.ofBisection(home.id)]
      const own = lastPass(
        ended
          .filter(({ fullComposition }) => fullComposition === same)
          .filter(({ run }) => !ledger.mootRuns.of(home.id).has(run.id))
          .map(({ run, outcome }) => ({ run: run.id, outcome })),
      )
      // Where the tip is tested by itself, any run that passed on it shows the same.
      return own ?? (testsTip(ledger.settings) ? lastPass(ledger.verdicts.of(same)) : null)
    }
    const faultOfTests = ({ failedIn, failedTests }: Evidence): string | null => {
      const failed = ledger.runs.find(failedIn)?.failedTests ?? []
      const isSame = failed.map(testKey).join('\n') === failedTests.map(testKey).join('\n')
      return isSame
        ? null
        : `the tests that failed were ${failed.length}, not ${failedTests.length}`
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

type Ended = { readonly run: TestRunId; readonly outcome: RunRecord['outcome'] }

function lastPass(ended: readonly Ended[]): TestRunId | null {
  return ended.findLast(({ outcome }) => outcome === 'passed')?.run ?? null
}
