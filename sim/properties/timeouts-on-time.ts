import type { Millis, TestRunId } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { minute, pullRequests } from './wording.ts'

const minuteMs = 60_000

/**
 * Rule: E-64. The timeout of a run is the one that was set when it started. That no run is left
 * overdue is checked by `wake-is-armed`.
 */
export const timeoutsOnTime: Property = {
  name: 'timeouts-on-time',
  sentence:
    'A run times out when it has been under way for testingTimeoutMinutes, as set when it started, and not before.',
  watch({ check, ledger }) {
    const dueAt = new Map<TestRunId, Millis>()

    return {
      on: {
        testRunStarted({ run }, { at }) {
          const { testingTimeoutMinutes } = ledger.settings.configuration
          dueAt.set(run.id, at + testingTimeoutMinutes * minuteMs)
        },
        testRunFinished({ testRun, outcome }, point) {
          const due = dueAt.get(testRun) ?? Infinity
          dueAt.delete(testRun)
          if (outcome !== 'timed_out') return
          const tested = ledger.runs.underWay.get(testRun)?.run.tested ?? []
          check(point.at >= due, point, () => ({
            story: `Run ${testRun} of ${pullRequests(tested)} timed out at ${minute(point.at)}, although it had until ${minute(due)}.`,
            pullRequests: tested,
          }))
        },
        testRunCancelled: ({ testRun }) => void dueAt.delete(testRun),
      },
    }
  },
}
