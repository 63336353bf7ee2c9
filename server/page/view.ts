/** What each audience sees of a queue. */

import {
  type Millis,
  type PullRequestState,
  type PullRequestView,
  type Reason,
  isTerminal,
} from '../../engine/index.ts'
import type { TestCases } from '../history/test-cases.ts'
import type { TimelineStep } from '../history/timeline.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { EndedRow, FlakyTestRow, Quarantine, QueueHead, Row } from './frame.ts'
import type { Audience, PublicEnded, PublicHead, PublicRow } from './public-view.ts'
import { quarantineOf } from '../views/quarantine.ts'
import { wordsOfStep, sentence, type UnnamedStep, whyInFull, whyOf } from '../views/why.ts'
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

function sentenceOf({ state, reason, ahead, testRun }: UnnamedStep, who: string): string {
  // A member of a bisection counts as tested from its first run on, whomever that tests.
  if (state === 'TESTING' && testRun === null) return 'Its bisection starts.'
  const why = wordsOfStep(reason, ahead)
  if (state === 'NOT_READY' || state === 'PENDING' || state === 'TESTING') {
    return sentence(why === null ? goesOn[state] : `${why}${who}; ${goesOn[state]}`)
  }
  const decided = decides[state]
  if (reason === 'USER_REQUESTED') return sentence(`${decided}${who === '' ? ` ${why}` : who}`)
  return sentence(why === null ? decided : `${decided}: ${why}${who}`)
}

export type View = {
  readonly head: (queue: ManagedQueue, parts: HeadParts) => QueueHead
  readonly row: (queue: ManagedQueue, pullRequest: PullRequestView, parts: RowParts) => Row
  /** Null if it is in the queue. */
  readonly ended: (queue: ManagedQueue, pullRequest: PullRequestView) => EndedRow | null
  /** A step as one sentence. */
  readonly step: (step: TimelineStep) => string
  readonly flakyTests: (queue: ManagedQueue, testCases: TestCases) => readonly FlakyTestRow[]
  readonly quarantine: (queue: ManagedQueue, at: Millis) => Quarantine | null
}

export type PublicView = {
  readonly head: (...given: Parameters<View['head']>) => PublicHead
  readonly row: (...given: Parameters<View['row']>) => PublicRow
  readonly ended: (...given: Parameters<View['ended']>) => PublicEnded | null
  readonly step: (step: UnnamedStep) => string
  readonly flakyTests: () => readonly []
  readonly quarantine: () => null
}

const memberView: View = {
  head: memberHead,
  row: memberRow,
  ended: memberEnded,
  step: memberStep,
  flakyTests,
  quarantine: quarantineOf,
}

const publicView: PublicView = {
  head: publicHead,
  row: publicRow,
  ended: publicEnded,
  step: publicStep,
  flakyTests: () => [],
  quarantine: () => null,
}

export const views: Readonly<Record<Audience, View>> = { member: memberView, public: publicView }

// How pull requests left the queue lately, with the evidence.

const msPerMinute = 60_000

/** Null if it is in the queue. */
function publicEnded(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  explain = whyOf,
): PublicEnded | null {
  const { number, state, stateChangedAt, submittedAt } = pullRequest
  if (!isTerminal(state)) return null
  return {
    number,
    state,
    at: new Date(stateChangedAt).toISOString(),
    minutesInQueue: Math.round(((stateChangedAt - submittedAt) / msPerMinute) * 10) / 10,
    why: explain(queue, pullRequest),
  }
}

/** Null if it is in the queue. */
function memberEnded(queue: ManagedQueue, pullRequest: PullRequestView): EndedRow | null {
  const { ids, history } = queue
  const { number, evidence } = pullRequest
  const row = publicEnded(queue, pullRequest, whyInFull)
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

const mostTests = 20

/** The flaky tests of a queue's repository, those that flake most first. */
function flakyTests({ ref }: ManagedQueue, testCases: TestCases): FlakyTestRow[] {
  const rows: FlakyTestRow[] = []
  for (const { name, file, flakes, ticket } of testCases.of(ref)) {
    if (flakes > 0) rows.push({ name, file, flakes, ticket: ticket?.id ?? null })
  }
  return rows.sort((a, b) => b.flakes - a.flakes).slice(0, mostTests)
}
