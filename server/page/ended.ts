/** How pull requests left the queue lately, with the evidence. */

import {
  isTerminal,
  type PullRequestView,
  type Reason,
  type TerminalState,
} from '../../engine/index.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { EndedRow } from './frame.ts'
import type { PublicEnded, UnnamedPullRequest } from './public-view.ts'
import { titleOf } from './rows.ts'

const msPerMinute = 60_000

/** Null if it is in the queue. */
export function publicEnded(
  _queue: ManagedQueue,
  pullRequest: UnnamedPullRequest,
): PublicEnded | null {
  const { number, state, stateChangedAt, submittedAt } = pullRequest
  if (!isTerminal(state)) return null
  return {
    number,
    state,
    at: new Date(stateChangedAt).toISOString(),
    minutesInQueue: Math.round(((stateChangedAt - submittedAt) / msPerMinute) * 10) / 10,
    why: whyEnded(state, pullRequest),
  }
}

/** Null if it is in the queue. */
export function memberEnded(queue: ManagedQueue, pullRequest: PullRequestView): EndedRow | null {
  const { ids, history } = queue
  const { number, evidence } = pullRequest
  const row = publicEnded(queue, pullRequest)
  if (!row) return null
  const idOf = (run: number | null): string | null => (run === null ? null : testRunId(ids, run))
  const member = {
    title: titleOf(history, number),
    failedIn: idOf(evidence?.failedIn ?? null),
    passedWithout: idOf(evidence?.passedWithout ?? null),
    failedTests: evidence?.failedTests.map(({ name }) => name) ?? [],
  }
  return { ...row, member }
}

const endings: Readonly<Partial<Record<Reason, string>>> = {
  MANUAL_MERGE: 'Merged by hand, without the queue.',
  MERGE_GRAPH_DIRECT_MERGE: 'Merged directly: it was based on the tip and green.',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'Its tests failed.',
  TEST_RUN_TIMEOUT: 'Its run took too long.',
  START_TEST_RUN_MERGE_CONFLICT: 'It conflicts with the target branch.',
  START_TEST_RUN_RETRY_EXHAUSTED: 'The runner lost its runs.',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'Runs of smaller sets show that it breaks the tests.',
  PR_UPDATED_AT_MERGE_TIME: 'Somebody pushed to it while it was merged.',
  GITHUB_API_MERGE_PR_FAILED: 'The code host refused the merge.',
  USER_REQUESTED: 'Cancelled by request.',
  PR_CLOSED: 'It was closed.',
  PR_PUSHED_TO: 'Somebody pushed to it.',
  PR_BASE_BRANCH_CHANGED: 'Its target branch was changed.',
  PR_CONVERTED_TO_DRAFT: 'It became a draft.',
}

const plainly = {
  MERGED: 'Its tests passed.',
  FAILED: 'Its tests failed.',
  CANCELLED: 'It was cancelled.',
} as const satisfies Record<TerminalState, string>

function whyEnded(state: TerminalState, { reason, evidence }: UnnamedPullRequest): string {
  const why = (reason === null ? undefined : endings[reason]) ?? plainly[state]
  const isProof = state === 'FAILED' && typeof evidence?.passedWithout === 'number'
  return isProof ? `${why.slice(0, -1)}; without it they passed.` : why
}
