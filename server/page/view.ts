/** What each audience sees of a queue. */

import {
  type PullRequestState,
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

// A step of a pull request as a sentence.

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
  MANUAL_MERGE: 'its change came on the branch otherwise',
  PREREQUISITE_MERGE_ITEM_FAILED: 'one ahead failed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'one ahead was cancelled',
  TESTS_RESTARTED_BY_API_REQUEST: 'a restart was requested',
  SKIP_THE_LINE_INTERRUPTED: 'an urgent one went ahead',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'somebody pushed to the target branch',
  BISECTION_REQUIRED: 'its batch failed, and a bisection looks for the culprit',
  BISECTION_TEST_RUN_PASSED: 'the bisection proved it',
  TEST_RUNNER_ERROR: 'the runner lost its run',
  TARGET_BRANCH_FAILED: 'the target branch fails by itself',
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

function memberStep(step: TimelineStep): string {
  const { by, reason } = step
  return sentenceOf(step, by !== null && asked.has(reason) ? ` by ${by}` : '')
}

function publicStep(step: UnnamedStep): string {
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
  const refused = history.pullRequests.get(number)?.refusedFor
  const why = refused === undefined ? row.why : `The code host refused the merge: ${refused}`
  return { ...row, why, member }
}

const endings: Readonly<Partial<Record<Reason, string>>> = {
  MANUAL_MERGE: 'Its change came on the branch otherwise.',
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
