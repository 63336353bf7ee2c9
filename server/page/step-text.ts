/** A step of a pull request as a sentence. */

import type { PullRequestState, Reason } from '../../engine/index.ts'
import type { TimelineStep } from '../history/timeline.ts'
import type { UnnamedStep } from './public-view.ts'

/** What it waits for from this step on. */
const goesOn = {
  NOT_READY: 'not ready yet',
  PENDING: 'waits to be tested',
  TESTING: 'its tests start',
} as const satisfies Partial<Record<PullRequestState, string>>

/** What this step decides. */
const decides = {
  TESTS_PASSED: 'Its tests passed',
  PENDING_FAILURE: 'Its run failed; held, because others may still clear it',
  MERGED: 'Merged',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
} as const satisfies Partial<Record<PullRequestState, string>>

const byReason = {
  API_REQUESTED: 'submitted',
  MERGE_ITEM_NOW_READY: 'ready now',
  TEST_RUN_PASSED: null,
  SUCCESSOR_TEST_RUN_PASSED: 'a run of those behind it passed with it',
  SCREENING_TEST_RUN_PASSED: 'a run without those ahead passed',
  MERGE_GRAPH_MERGE: null,
  MERGE_GRAPH_DIRECT_MERGE: 'directly, because it was based on the tip and green',
  MANUAL_MERGE: 'by hand, without the queue',
  PREREQUISITE_MERGE_ITEM_FAILED: 'one ahead failed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'one ahead was cancelled',
  TESTS_RESTARTED_BY_API_REQUEST: 'a restart was requested',
  SKIP_THE_LINE_INTERRUPTED: 'an urgent one went ahead',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'somebody pushed to the target branch',
  BISECTION_REQUIRED: 'its batch failed, and a bisection looks for the culprit',
  BISECTION_TEST_RUN_PASSED: 'the bisection proved it',
  TEST_RUNNER_ERROR: 'the runner lost its run',
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

export function memberStep(step: TimelineStep): string {
  const { by, reason } = step
  return sentenceOf(step, by !== null && asked.has(reason) ? ` by ${by}` : '')
}

export function publicStep(step: UnnamedStep): string {
  return sentenceOf(step, '')
}

function sentenceOf({ state, reason }: UnnamedStep, who: string): string {
  const why = reason === null ? null : byReason[reason]
  if (state === 'NOT_READY' || state === 'PENDING' || state === 'TESTING') {
    return sentence(why === null ? goesOn[state] : `${why}${who}; ${goesOn[state]}`)
  }
  const decided = decides[state]
  if (reason === 'USER_REQUESTED') return sentence(`${decided}${who === '' ? ` ${why}` : who}`)
  return sentence(why === null ? decided : `${decided}: ${why}${who}`)
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
