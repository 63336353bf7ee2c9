/** A step of a pull request as a sentence. */

import type { PullRequestState, Reason } from '../../engine/index.ts'
import type { TimelineStep } from '../history/timeline.ts'
import type { Audience } from './audience.ts'

const byState = {
  NOT_READY: 'Not ready yet',
  PENDING: 'Waits to be tested',
  TESTING: 'Tested',
  TESTS_PASSED: 'Its tests passed',
  PENDING_FAILURE: 'Its run failed; held, because others may still clear it',
  MERGED: 'Merged',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
} as const satisfies Record<PullRequestState, string>

const byReason = {
  API_REQUESTED: 'submitted',
  MERGE_ITEM_NOW_READY: 'ready now',
  TEST_RUN_PASSED: null,
  SUCCESSOR_TEST_RUN_PASSED: 'a run of those behind it passed with it',
  SCREENING_TEST_RUN_PASSED: 'a run without those ahead passed; it is tested again on top of them',
  MERGE_GRAPH_MERGE: null,
  MERGE_GRAPH_DIRECT_MERGE: 'directly, because it was based on the tip and green',
  MANUAL_MERGE: 'by hand, without the queue',
  PREREQUISITE_MERGE_ITEM_FAILED: 'one ahead failed, so it starts again',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'one ahead was cancelled, so it starts again',
  TESTS_RESTARTED_BY_API_REQUEST: 'a restart was requested',
  SKIP_THE_LINE_INTERRUPTED: 'an urgent one went ahead, so it starts again',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'somebody pushed to the target branch, so it starts again',
  BISECTION_REQUIRED: 'its batch failed, and a bisection looks for the culprit',
  BISECTION_TEST_RUN_PASSED: 'the bisection proved it, and it goes back into the line',
  TEST_RUNNER_ERROR: 'the runner lost its run, so it starts again',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'its tests failed',
  TEST_RUN_TIMEOUT: 'its run took too long',
  START_TEST_RUN_MERGE_CONFLICT: 'it conflicts with the target branch',
  START_TEST_RUN_RETRY_EXHAUSTED: 'the runner lost its runs',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'runs of smaller sets show that it breaks the tests',
  PR_UPDATED_AT_MERGE_TIME: 'somebody pushed to it while it was merged',
  GITHUB_API_MERGE_PR_FAILED: 'the code host refused the merge',
  USER_REQUESTED: 'by request',
  PR_CLOSED: 'it was closed',
  PR_PUSHED_TO: 'somebody pushed to it',
  PR_BASE_BRANCH_CHANGED: 'its target branch was changed',
  PR_CONVERTED_TO_DRAFT: 'it became a draft',
} as const satisfies Record<Reason, string | null>

/** What a person asks for. A token that reports a verdict causes steps too, but decides nothing. */
const asked: ReadonlySet<Reason | null> = new Set<Reason>([
  'API_REQUESTED',
  'TESTS_RESTARTED_BY_API_REQUEST',
  'USER_REQUESTED',
])

/** One sentence; the public one names no person. */
export function stepText({ state, reason, by }: TimelineStep, audience: Audience): string {
  const why = reason === null ? null : byReason[reason]
  const isTold = audience === 'member' && asked.has(reason)
  const who = isTold && by !== null ? `, by ${by}` : ''
  return `${byState[state]}${why === null ? '' : `: ${why}`}${who}.`
}
