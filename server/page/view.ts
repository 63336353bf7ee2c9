/** What each audience sees of a queue. */

import {
  type Millis,
  type PullRequestState,
  type PullRequestView,
  type Reason,
  dependentsOf,
  isTerminal,
} from '../../engine/index.ts'
import { waysToSubmit } from '../code-host/report.ts'
import type { TestCases } from '../history/test-cases.ts'
import { type TimelineStep, stepsOf } from '../history/timeline.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type {
  FlakyTestRow,
  Quarantine,
  QueueHead,
  Row,
  Estimate,
  MemberDetails,
  RunRow,
} from './frame.ts'
import { quarantineOf } from '../views/quarantine.ts'
import { wordsOfStep, sentence, type UnnamedStep, whyInFull, whyOf } from '../views/why.ts'
import type { Hosting } from '../hosting/hosting.ts'
import { pullRequestLink } from '../views/pull-request.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { AppliedCommand } from '../queues/publisher.ts'

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

const memberView = {
  head: memberHead,
  row: memberRow,
  /** A step as one sentence. */
  step: (step: TimelineStep): string =>
    sentenceOf(step, step.by !== null && asked.has(step.reason) ? ` by ${step.by}` : ''),
  flakyTests,
  quarantine: (queue: ManagedQueue, at: Millis): Quarantine | null => quarantineOf(queue, at),
}

export type View = typeof memberView

export type PublicView = {
  readonly head: (...given: Parameters<View['head']>) => PublicHead
  readonly row: (...given: Parameters<View['row']>) => PublicRow
  readonly step: (step: UnnamedStep) => string
  readonly flakyTests: () => readonly []
  readonly quarantine: () => null
}

const publicView: PublicView = {
  head: publicHead,
  row: publicRow,
  step: (step) => sentenceOf(step, ''),
  flakyTests: () => [],
  quarantine: () => null,
}

export const views: Readonly<Record<Audience, View>> = { member: memberView, public: publicView }

const mostTests = 20

/** The flaky tests of a queue's repository, those that flake most first. */
function flakyTests({ ref }: ManagedQueue, testCases: TestCases): readonly FlakyTestRow[] {
  const rows: FlakyTestRow[] = []
  for (const { name, file, flakes, ticket } of testCases.of(ref)) {
    if (flakes > 0) rows.push({ name, file, flakes, ticket: ticket?.id ?? null })
  }
  return rows.sort((a, b) => b.flakes - a.flakes).slice(0, mostTests)
}

// The row of a pull request that is in the queue, or was.

/** When a pull request lands, as far as it is known now. */
type EstimateOf = (queue: ManagedQueue, number: number) => Estimate | null

/** What views need beside the state of the queue. */
export type ViewParts = {
  readonly changes: StateChanges
  readonly hosting: Hosting
  readonly estimateOf: EstimateOf
}

type RowParts = Pick<ViewParts, 'hosting' | 'estimateOf'>

function memberRow(queue: ManagedQueue, pullRequest: PullRequestView, parts: RowParts): Row {
  return {
    ...publicRow(queue, pullRequest, parts, whyInFull),
    member: detailsOf(queue, pullRequest, parts.hosting),
  }
}

function publicRow(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  { estimateOf }: RowParts,
  explain = whyOf,
): PublicRow {
  const { number, state, stateChangedAt, submittedAt, priority, dependsOn } = pullRequest
  const dependents = dependentsOf(queue.engine.queue, number).slice(0, mostDependents)
  return {
    number,
    state,
    ...(isBisected(queue, pullRequest) ? { isBisected: true } : {}),
    since: new Date(stateChangedAt).toISOString(),
    submittedAt: new Date(submittedAt).toISOString(),
    urgent: priority === 0,
    ...(dependsOn ? { dependsOn } : {}),
    ...(dependents.length > 0 ? { dependents } : {}),
    why: explain(queue, pullRequest),
    estimate: estimateOf(queue, number),
  }
}

/** A frame stays small. */
const mostDependents = 20

/** One that is proven goes back into the line. */
function isBisected({ engine }: ManagedQueue, { number, home }: PullRequestView): boolean {
  if (home.in !== 'bisection') return false
  const bisection = engine.queue.bisections.find(({ id }) => id === home.bisection)
  return bisection?.proven.includes(number) === false
}

function detailsOf(
  queue: ManagedQueue,
  { number, state, priority, noBatch, submittedAt, evidence }: PullRequestView,
  hosting: Hosting,
): MemberDetails {
  const { history, ids } = queue
  const idOf = (run: number | null): string | null => (run === null ? null : testRunId(ids, run))
  const past = history.pullRequests.get(number)
  const steps = stepsOf(past?.timeline ?? [])
  const submission = steps.findLast(
    ({ at, reason }) => reason === 'API_REQUESTED' && at <= submittedAt,
  )
  return {
    title: titleOf(history, number),
    author: past?.described.author ?? '',
    url: pullRequestLink(hosting, queue, number),
    submittedBy: submission?.by ?? null,
    priority,
    noBatch,
    ...(isTerminal(state) && evidence
      ? {
          evidence: {
            failedIn: idOf(evidence.failedIn),
            passedWithout: idOf(evidence.passedWithout),
            failedTests: evidence.failedTests.map(({ name }) => name),
          },
        }
      : {}),
  }
}

const longestTitle = 250

/** Cut, because frames stay small; the page shows less. */
export function titleOf({ pullRequests }: ManagedQueue['history'], number: number): string {
  return (pullRequests.get(number)?.described.title ?? '').slice(0, longestTitle)
}

// What the page shows about a queue as a whole.

function memberHead(queue: ManagedQueue, parts: ViewParts): QueueHead {
  const { changes, hosting } = parts
  return {
    ...publicHead(queue, parts),
    stateBy: changes.of(queue.name)?.by ?? null,
    faults: hosting.of(queue.name)?.status().faults ?? [],
    waysIn: waysIn(queue, hosting),
  }
}

function publicHead(queue: ManagedQueue, { changes, estimateOf }: ViewParts): PublicHead {
  const { ref, ids, name, engine } = queue
  const { state, configuration, slots, wishedMode } = engine.queue
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes, concurrency } = configuration
  const change = changes.of(name)
  return {
    id: ids.start,
    host: ref.host,
    owner: ref.owner,
    name: ref.name,
    targetBranch: ref.targetBranch,
    state,
    stateSince: change ? new Date(change.at).toISOString() : null,
    stateBy: null,
    mode: wishedMode ?? configuration.mode,
    batching: batch ? { size: batchingMinSize, waitMinutes: batchingMaxWaitTimeMinutes } : null,
    concurrency,
    slotsUsed: slots.main,
    faults: [],
    waysIn: [],
    next: nextOf(queue, estimateOf),
  }
}

/** Who lands first by the estimates; without any, who is first. Nobody lands who is not ready. */
function nextOf(queue: ManagedQueue, estimateOf: EstimateOf): QueueHead['next'] {
  const { line, groups, bisections, pullRequests } = queue.engine.queue
  const inLine = line.flatMap((id) => groups[id]?.members ?? [])
  const searched = bisections.flatMap(({ submissions }) => Object.keys(submissions).map(Number))
  let next: QueueHead['next'] = null
  for (const number of [...inLine, ...searched, ...firstWaiting(queue)]) {
    const { home, state = 'NOT_READY' } = pullRequests[number] ?? {}
    if (home?.in === 'nowhere' || state === 'NOT_READY') continue
    const estimate = estimateOf(queue, number)
    if (!next || medianOf(estimate) < medianOf(next.estimate)) next = { number, estimate }
  }
  return next
}

/** After every instant if it is not known. */
const medianOf = (estimate: Estimate | null): string =>
  estimate?.kind === 'range' ? estimate.median : '~'

/** Of a long queue the first are shown; the page says how many there are. */
const mostWaiting = 200

export function firstWaiting(queue: ManagedQueue): number[] {
  const order: number[] = []
  for (const { number, home } of queue.positions().inOrder()) {
    if (home.in !== 'order') continue
    order.push(number)
    if (order.length === mostWaiting) break
  }
  return order
}

function waysIn({ name, engine }: ManagedQueue, hosting: Hosting): string[] {
  const hosted = hosting.of(name)
  if (!hosted) return []
  if (hosted.pageOf(1) === null) return ['a push to a branch below queue/']
  return waysToSubmit(engine.queue.configuration)
}

type StateChange = { readonly at: number; readonly by: string | null }

/** Since when each queue is in its state, and who set it: noted while the server runs. */
export class StateChanges {
  readonly #changes = new Map<string, StateChange>()

  readonly onCommand = ({ queue, at, command, events, by }: AppliedCommand): void => {
    if (!queue) return
    // It is not the one of that name that was deleted.
    if (command.type === 'createQueue') this.#changes.delete(nameOfQueue(queue))
    if (!events.some(({ type }) => type === 'queueStateChanged')) return
    this.#changes.set(nameOfQueue(queue), { at, by: by?.token ?? null })
  }

  /** Null if the state has not changed since the start of the server. */
  of(queue: string): StateChange | null {
    return this.#changes.get(queue) ?? null
  }
}

// What strangers see when the operator shows the page to everybody. The types are those of members in
// which each field that is for members only is empty or `never`, so the compiler refuses to fill it.

/** Faults can name branches and paths. */
export type PublicHead = QueueHead & {
  readonly stateBy: null
  readonly faults: readonly []
  readonly waysIn: readonly []
}

export type PublicRow = Row & { readonly member?: never }

export type PublicRun = RunRow & { readonly url?: never }

/** For whom a view is made: the public view has no title, person, test, link or ticket. */
export type Audience = 'member' | 'public'
