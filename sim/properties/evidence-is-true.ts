import type { Evidence, EventOf, Reason } from '../../engine/index.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/** How the run ended that a reason of FAILED speaks of; a reason without a run is not in it. */
const outcomeOf: Readonly<Partial<Record<Reason, RunRecord['outcome']>>> = {
  TEST_RUN_REQUIRED_STATUS_FAILED: 'failed',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'failed',
  TEST_RUN_TIMEOUT: 'timed_out',
  START_TEST_RUN_RETRY_EXHAUSTED: 'errored',
}

/**
 * Spec, "Pull request states" (reasons) and "Bisection" (the culprit). Whoever FAILED can be
 * shown the run that failed with it, and where one is named, the run that passed on exactly the
 * same without it.
 */
export const evidenceIsTrue: Property = {
  name: 'evidence-is-true',
  sentence:
    'FAILED names a run that tested the pull request and failed in the way the reason says, and only a run that passed on the same without it.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)

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
      if (outcome === undefined) return failedIn === null ? null : 'no run spoke, and one is named'
      const record = books.runs.find(failedIn)
      if (!record) return `run ${failedIn ?? 'none'} is nowhere to be found`
      const { run } = record
      if (!run.tested.includes(number)) return `run ${run.id} did not test it`
      if (record.outcome !== outcome) return `run ${run.id} ended as ${record.outcome ?? 'nothing'}`
      // By elimination: in a bisection, and no run of its own has shown it, only the batch's.
      const isEliminated = run.owner.kind === 'main' && books.bisections.of(number) !== undefined
      return isEliminated === (reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION')
        ? null
        : `run ${run.id} is not what that reason speaks of`
    }
    const faultOfContrast = ({ failedIn, passedWithout }: Evidence): string | null => {
      if (passedWithout === null) return null
      const [failed, passed] = [books.runs.find(failedIn), books.runs.find(passedWithout)]
      if (passed?.outcome !== 'passed') return `run ${passedWithout} has not passed`
      // Beside a main run other lanes may have landed, in an order that is nobody's concern.
      const isLane =
        books.settings.configuration.mode === 'parallel' && failed?.run.owner.kind === 'main'
      const isSame = isLane || (failed !== undefined && passed.whole === failed.withoutLast)
      return isSame ? null : `run ${passedWithout} did not test the same without it`
    }

    const look = (event: EventOf<'pullRequestMoved'>, seen: Seen): void => {
      const { number, reason } = event
      const fault = faultOf(event)
      judge(fault === null, seen, () => ({
        story: `Pull request ${number} FAILED (${reason ?? 'no reason'}), but ${fault ?? ''}.`,
        pullRequests: [number],
      }))
    }

    return watcher(setting, {
      on: {
        pullRequestMoved(event, seen) {
          if (event.to === 'FAILED' || event.evidence) look(event, seen)
        },
      },
    })
  },
}
