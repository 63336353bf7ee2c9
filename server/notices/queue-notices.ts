/**
 * The notices of one queue, numbered. This is a fold of the command log, and the registry keeps the
 * count with the history of the queue. So a notice that is made again has the same number.
 */

import {
  type Event,
  type EventOf,
  isTerminal,
  type PullRequestState,
  type QueueState,
  type QueueView,
  type TestRunId,
} from '../../engine/index.ts'
import { type Ahead, AheadOf } from '../history/timeline.ts'
import { type QueueIds, testRunId } from '../identity/ids.ts'

/** The number of the last notice of the queue: a part of its history. */
type NoticeCount = { notices: number }

export class QueueNotices {
  readonly #ids: QueueIds
  readonly #batches: Batches
  readonly #count: NoticeCount
  #state: QueueState
  #latest: readonly Notice[] = []

  /** Continues with the state of the queue after its last notice. */
  constructor(ids: QueueIds, queue: QueueView, count: NoticeCount) {
    this.#ids = ids
    this.#batches = new Batches(queue)
    this.#state = queue.state
    this.#count = count
  }

  /** The notices about the last command that the engine accepted. */
  get latest(): readonly Notice[] {
    return this.#latest
  }

  /** The notice that the queue was made, or is gone: its engine does not say it. */
  ofQueue(action: Exclude<QueueAction, 'updated'>): Notice {
    return this.#numbered(this.#aboutQueue(action))
  }

  /** Makes the notices about the next command that the engine accepted. */
  follow(events: readonly Event[]): void {
    let isUpdated = false
    for (const event of events) {
      if (event.type === 'queueStateChanged') this.#state = event.to
      isUpdated ||= event.type === 'queueStateChanged' || event.type === 'queueConfigured'
    }
    const contents = new PullRequestContents(this.#ids, this.#batches).of(events)
    if (isUpdated) contents.unshift(this.#aboutQueue('updated'))
    this.#latest = contents.map((content) => this.#numbered(content))
  }

  #aboutQueue(action: QueueAction): NoticeContent {
    return {
      type: `queue.${action}`,
      numbers: [],
      fields: { status: this.#state.toLowerCase() },
    }
  }

  #numbered(content: NoticeContent): Notice {
    return { ...content, sequence: ++this.#count.notices }
  }
}

/**
 * The contents of the messages about pull requests that follow from the events of one command.
 *
 * `testing` is sent for every run that starts, for each pull request it tests: a CI system must
 * learn of each run, and in a bisection most runs start without a change of state. A member of a bisection
 * that becomes TESTING without a run of its own gets one too: messages follow the states that getQueue shows.
 */
type PullRequestMove = EventOf<'pullRequestMoved'>
type Evidence = NonNullable<PullRequestMove['evidence']>

const actionsByState: Readonly<
  Partial<Record<PullRequestState, Exclude<PullRequestAction, 'submitted'>>>
> = {
  PENDING: 'queued',
  PENDING_FAILURE: 'pending_failure',
  TESTS_PASSED: 'tests_passed',
  FAILED: 'failed',
  CANCELLED: 'canceled',
  MERGED: 'merged',
}

const reasonNames = {
  submitted: 'submitted_reason',
  queued: 'queued_reason',
  testing: 'testing_reason',
  pending_failure: 'failure_reason',
  tests_passed: 'tests_passed_reason',
  failed: 'failure_reason',
  canceled: 'cancellation_reason',
  merged: 'merged_reason',
} as const satisfies Record<PullRequestAction, string>

type NoticeFacts<Any extends PullRequestAction = PullRequestAction> = {
  readonly action: Any
  readonly reason: string | null
  readonly run: TestRunId | null
  readonly ahead?: Ahead | undefined
  readonly evidence?: Evidence | undefined
  /** Undefined for messages that are not about testing. */
  readonly isBisection?: boolean
}

/** The batch or run that pull requests share: one object for all of its members. */
type Companions = Pick<Batch, 'size'>

/** Companions that get the same notice within one command. */
type GroupedNotice = {
  readonly notice: NoticeFacts<Exclude<PullRequestAction, 'submitted'>>
  readonly companions: Companions
  readonly numbers: number[]
}

const alone: Companions = { size: 1 }

class PullRequestContents {
  readonly #ids: QueueIds
  readonly #batches: Batches
  readonly #aheadOf = new AheadOf()
  readonly #contents: NoticeContent[] = []
  readonly #grouped: GroupedNotice[] = []
  /** The reasons of the runs that failed in this command. */
  readonly #failures = new Map<TestRunId, string>()
  /** Those whose last state in this command is TESTING, without a run of their own. */
  readonly #testingWithoutRun = new Set<number>()

  constructor(ids: QueueIds, batches: Batches) {
    this.#ids = ids
    this.#batches = batches
  }

  /** Returns the message contents for the events of one command, in order. */
  of(events: readonly Event[]): NoticeContent[] {
    for (const event of events) {
      this.#take(event)
      this.#batches.follow(event)
    }
    for (const number of this.#testingWithoutRun) {
      this.#notifyOfMove(number, { action: 'testing', reason: null, run: null })
    }
    this.#endAll(this.#grouped)
    return this.#contents
  }

  #take(event: Event): void {
    const ahead = this.#aheadOf.follow(event)
    if (event.type === 'pullRequestSubmitted') this.#submitted(event)
    else if (event.type === 'groupFailed') this.#failures.set(event.testRun, event.reason)
    else if (event.type === 'pullRequestMoved') this.#moved(event, ahead)
    else if (event.type === 'testRunStarted') {
      const { id: run, tested, owner } = event.run
      const isBisection = owner.kind === 'bisection'
      const companions = { size: tested.length }
      for (const number of tested) {
        this.#notify(number, { action: 'testing', reason: null, run, isBisection }, companions)
      }
    }
  }

  #submitted({ number, state }: EventOf<'pullRequestSubmitted'>): void {
    const reason = 'API_REQUESTED'
    this.#contents.push(this.#single(number, { action: 'submitted', reason, run: null }))
    if (state !== 'PENDING') return
    this.#contents.push(this.#single(number, { action: 'queued', reason, run: null }))
  }

  #moved(
    { number, to, reason, testRun, evidence }: PullRequestMove,
    ahead: Ahead | undefined,
  ): void {
    if (to === 'TESTING' && testRun === null) this.#testingWithoutRun.add(number)
    else this.#testingWithoutRun.delete(number)
    const action = actionsByState[to]
    if (action === undefined) return
    const failureReason = to === 'PENDING_FAILURE' ? this.#failureOf(testRun) : reason
    this.#notifyOfMove(number, { action, reason: failureReason, run: testRun, ahead, evidence })
  }

  #notifyOfMove(number: number, notice: Omit<GroupedNotice['notice'], 'isBisection'>): void {
    const batch = this.#batches.of(number)
    const isBisection = batch?.isBisection ?? false
    this.#notify(number, { ...notice, isBisection }, batch ?? alone)
  }

  #failureOf(run: TestRunId | null): string {
    // Without a run the pull request has a text conflict with one ahead.
    const reason = run === null ? undefined : this.#failures.get(run)
    return reason ?? 'START_TEST_RUN_MERGE_CONFLICT'
  }

  #notify(number: number, notice: GroupedNotice['notice'], companions: Companions): void {
    // Messages about its batch from earlier events come first.
    this.#endAll(this.#grouped.filter(({ numbers }) => numbers.includes(number)))
    this.#contents.push(this.#single(number, notice))
    if (companions.size < 2) return
    const same = this.#grouped.find(
      (other) => other.companions === companions && isSame(other.notice, notice),
    )
    if (same) same.numbers.push(number)
    else this.#grouped.push({ notice, companions, numbers: [number] })
  }

  #endAll(ended: readonly GroupedNotice[]): void {
    for (const grouped of [...ended]) {
      this.#grouped.splice(this.#grouped.indexOf(grouped), 1)
      const { notice, numbers } = grouped
      if (numbers.length < 2) continue
      // What proves it is of each one its own.
      const shared = this.#fields({ ...notice, evidence: undefined })
      const fields = { pr_numbers: numbers, ...shared }
      const type = `pull_request_batch.${notice.action}` as const
      this.#contents.push({ type, numbers, fields, ...aheadIn(notice) })
    }
  }

  #single(number: number, notice: NoticeFacts): NoticeContent {
    const fields = { pr_number: number, ...this.#fields(notice) }
    return {
      type: `pull_request.${notice.action}`,
      numbers: [number],
      fields,
      ...aheadIn(notice),
    }
  }

  #fields({
    action,
    reason,
    run,
    isBisection,
    ahead,
    evidence,
  }: NoticeFacts): NoticeContent['fields'] {
    return {
      status: action,
      ...(reason === null ? {} : { [reasonNames[action]]: reason }),
      ...(run === null ? {} : { test_run_id: testRunId(this.#ids, run) }),
      ...(ahead ? { because_of_pr_number: ahead.number } : {}),
      ...(evidence ? this.#proof(evidence) : {}),
      ...(isBisection === undefined ? {} : { is_bisection: isBisection }),
    }
  }

  /** The tests that failed, and the run that passed without it: why it was evicted. */
  #proof({ passedWithout, failedTests }: Evidence): NoticeContent['fields'] {
    return {
      ...(failedTests.length === 0
        ? {}
        : { failed_tests: failedTests.slice(0, mostTests).map(({ name }) => name) }),
      ...(passedWithout === null
        ? {}
        : { passed_without_test_run_id: testRunId(this.#ids, passedWithout) }),
    }
  }
}

/** As many as a comment on a host names. */
const mostTests = 50

function isSame(a: NoticeFacts, b: NoticeFacts): boolean {
  return (
    a.action === b.action &&
    a.reason === b.reason &&
    a.run === b.run &&
    a.ahead?.number === b.ahead?.number
  )
}

const aheadIn = ({ ahead }: NoticeFacts): Pick<NoticeContent, 'ahead'> => (ahead ? { ahead } : {})

/** The current batch of each pull request, updated event by event. */
type Batch = {
  /** The number of members at its start. */
  readonly size: number
  readonly isBisection: boolean
}

class Batches {
  readonly #batchOf = new Map<number, Batch>()

  /** Starts with the batches of a queue. */
  constructor({ line, groups, bisections }: QueueView) {
    for (const id of line) {
      const group = groups[id]
      if (group) this.#put(group.members, group.provenBy !== null)
    }
    for (const { proven, open } of bisections) this.#put([...proven, ...open], true)
  }

  /** The batch of a pull request; null if it has not started yet. */
  of(number: number): Batch | null {
    return this.#batchOf.get(number) ?? null
  }

  follow(event: Event): void {
    if (event.type === 'groupPlaced') this.#put(event.members, event.cause === 'proven')
    else if (event.type === 'groupSplit') this.#put(event.members, false)
    else if (event.type === 'bisectionStarted') this.#put(event.members, true)
    else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.#batchOf.delete(event.number)
    }
  }

  #put(members: readonly number[], isBisection: boolean): void {
    const batch = { size: members.length, isBisection }
    for (const number of members) this.#batchOf.set(number, batch)
  }
}

// The event types of webhooks.

const pullRequestActions = [
  'submitted',
  'queued',
  'testing',
  'pending_failure',
  'tests_passed',
  'failed',
  'canceled',
  'merged',
] as const
const queueActions = ['created', 'updated', 'deleted'] as const

/** What happened to a pull request. */
type PullRequestAction = (typeof pullRequestActions)[number]
export type QueueAction = (typeof queueActions)[number]
export type WebhookEventType =
  | `pull_request.${PullRequestAction}`
  | `pull_request_batch.${Exclude<PullRequestAction, 'submitted'>}`
  | `queue.${QueueAction}`

export const eventTypes: readonly WebhookEventType[] = [
  ...pullRequestActions.map((action) => `pull_request.${action}` as const),
  // A batch is formed from pull requests in the queue, so it is never submitted.
  ...pullRequestActions
    .filter((action) => action !== 'submitted')
    .map((action) => `pull_request_batch.${action}` as const),
  ...queueActions.map((action) => `queue.${action}` as const),
]

export function isEventType(value: unknown): value is WebhookEventType {
  return eventTypes.some((type) => type === value)
}

/** What a message says, without its queue, time and number. */
export type NoticeContent = {
  readonly type: WebhookEventType
  /** The pull requests that the message is about; none for a message about the queue. */
  readonly numbers: readonly number[]
  /** The pull request ahead that is the cause; absent: none is. */
  readonly ahead?: Ahead
  readonly fields: Readonly<
    Record<string, string | number | boolean | readonly number[] | readonly string[]>
  >
}

/** A notice with its number in its queue: from 1, without a gap. */
export type Notice = NoticeContent & { readonly sequence: number }
