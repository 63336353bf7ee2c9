/** What each audience sees of a queue. */

import {
  type PullRequestView,
  type Reason,
  type TerminalState,
  isTerminal,
} from '../../engine/index.ts'
import type { TestCases } from '../history/test-cases.ts'
import type { TimelineStep } from '../history/timeline.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { EndedRow, FlakyTestRow, QueueHead, Row } from './frame.ts'
import type {
  Audience,
  PublicEnded,
  PublicHead,
  PublicRow,
  UnnamedPullRequest,
  UnnamedStep,
} from './public-view.ts'
import { type HeadParts, memberHead, publicHead } from './queue-head.ts'
import { type RowParts, memberRow, publicRow, titleOf } from './rows.ts'
import { memberStep, publicStep } from './step-text.ts'

export type View = {
  readonly head: (queue: ManagedQueue, parts: HeadParts) => QueueHead
  readonly row: (queue: ManagedQueue, pullRequest: PullRequestView, parts: RowParts) => Row
  /** Null if it is in the queue. */
  readonly ended: (queue: ManagedQueue, pullRequest: PullRequestView) => EndedRow | null
  /** A step as one sentence. */
  readonly step: (step: TimelineStep) => string
  readonly flakyTests: (queue: ManagedQueue, testCases: TestCases) => readonly FlakyTestRow[]
}

export type PublicView = {
  readonly head: (...given: Parameters<View['head']>) => PublicHead
  readonly row: (...given: Parameters<View['row']>) => PublicRow
  readonly ended: (...given: Parameters<View['ended']>) => PublicEnded | null
  readonly step: (step: UnnamedStep) => string
  readonly flakyTests: () => readonly []
}

const memberView: View = {
  head: memberHead,
  row: memberRow,
  ended: memberEnded,
  step: memberStep,
  flakyTests,
}

const publicView: PublicView = {
  head: publicHead,
  row: publicRow,
  ended: publicEnded,
  step: publicStep,
  flakyTests: () => [],
}

export const views: Readonly<Record<Audience, View>> = { member: memberView, public: publicView }

// How pull requests left the queue lately, with the evidence.

const msPerMinute = 60_000

/** Null if it is in the queue. */
function publicEnded(_queue: ManagedQueue, pullRequest: UnnamedPullRequest): PublicEnded | null {
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
function memberEnded(queue: ManagedQueue, pullRequest: PullRequestView): EndedRow | null {
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

const mostTests = 20

/** The flaky tests of a queue's repository, those that flake most first. */
function flakyTests({ ref }: ManagedQueue, testCases: TestCases): FlakyTestRow[] {
  const rows: FlakyTestRow[] = []
  for (const { name, file, flakes, ticket } of testCases.of(ref)) {
    if (flakes > 0) rows.push({ name, file, flakes, ticket: ticket?.id ?? null })
  }
  return rows.sort((a, b) => b.flakes - a.flakes).slice(0, mostTests)
}
