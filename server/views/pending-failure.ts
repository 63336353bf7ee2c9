/** Why a pull request is in PENDING_FAILURE, as webhooks say it too. */

import type { Evidence, PullRequestView, QueueView, Reason } from '../../engine/index.ts'
import type { PastRunOutcome, QueueHistory } from '../history/queue-history.ts'
import type { TimelineStep } from '../history/timeline.ts'

const conflict = 'START_TEST_RUN_MERGE_CONFLICT' satisfies Reason

/** A run that the runner lost leads to PENDING_FAILURE only after its last repetition. */
const reasonsByOutcome: Readonly<Partial<Record<PastRunOutcome, Reason>>> = {
  failed: 'TEST_RUN_REQUIRED_STATUS_FAILED',
  timed_out: 'TEST_RUN_TIMEOUT',
  errored: 'START_TEST_RUN_RETRY_EXHAUSTED',
}

/**
 * Returns the reason of a step. A move to PENDING_FAILURE has none of its own: it follows from the
 * run that failed. Without a run the pull request conflicts with one ahead.
 */
export function reasonOfStep(
  { testRuns }: QueueHistory,
  { state, reason, testRun }: TimelineStep,
): Reason | null {
  if (state !== 'PENDING_FAILURE' || reason !== null) return reason
  if (testRun === null) return conflict
  const outcome = testRuns.get(testRun)?.outcome
  return outcome ? (reasonsByOutcome[outcome] ?? null) : null
}

type Failure = { readonly reason: Reason | null; readonly evidence: Evidence | null }

/**
 * Returns the reason of the last move, and the evidence. In PENDING_FAILURE both come from the
 * group. Which run passed without the pull request is known only when it is FAILED.
 */
export function failureOf(queue: QueueView, pullRequest: PullRequestView): Failure {
  const { state, reason, evidence, home } = pullRequest
  const phase = home.in === 'group' ? queue.groups[home.group]?.phase : undefined
  if (state !== 'PENDING_FAILURE' || !phase) return { reason, evidence }
  if (phase.kind === 'conflicted') {
    return { reason: conflict, evidence: { failedIn: null, passedWithout: null, failedTests: [] } }
  }
  if (phase.kind !== 'failed') return { reason, evidence }
  const { run, failedTests } = phase
  return { reason: phase.reason, evidence: { failedIn: run.id, passedWithout: null, failedTests } }
}
