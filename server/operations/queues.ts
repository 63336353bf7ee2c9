/** Operations about a queue: its creation and its end, its settings, its code host, and what is in it. */

import { randomUUID } from 'node:crypto'
import {
  bisectionSlots,
  configurationFields,
  type Event,
  type PullRequestNumber,
  type QueueView,
  type RecordedSettings,
  removedSettings,
  turnOf,
} from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { inSlices } from '../files/turns.ts'
import { quoteOf } from '../http/answer.ts'
import { nearestOf, proposed } from '../terminal/nearest.ts'
import { nameOfQueue, queueRefOf, repositoryOf } from '../identity/queue-ref.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { concernedBy, enqueuedPullRequest } from '../views/pull-request.ts'
import { inCase, type StateCase } from '../views/state-case.ts'
import {
  answer,
  contradiction,
  type LongOperation,
  type Operation,
  reject,
  type Rejected,
  withQueue,
  done,
  reporting,
  sending,
} from './operation.ts'
import type { TestCase } from '../history/test-cases.ts'
import { quarantineOf } from '../views/quarantine.ts'

/** Creates a queue. Draws its incarnation here, so that the logged command contains it. */
export const createQueue: Operation<wire.WriteQueue, wire.QueueConfiguration> = (context, body) => {
  const read = readSettings(body)
  if ('rejection' in read) return read
  const incarnation = randomUUID()
  const name = nameOfQueue(queueRefOf(body))
  const { codeHost } = context.manager.registry
  const set = { tipTestMode: 'policy', ...read.settings } as const
  const command = { type: 'createQueue', incarnation, set, ...codeHost } as const
  const outcome = context.manager.send(name, command)
  if (!outcome.accepted) return reject(outcome.rejection)
  return withQueue(context, body, (queue) => answer(queueConfiguration(queue, context.stateCase)))
}

/** Returns a queue with its settings and its pull requests, a long one in pieces. */
export const getQueue: LongOperation<wire.QueueRef, wire.Queue> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { stateCase } = context
    if (isShort(queue)) return answer(queueWithPullRequests(queue, stateCase))
    return inSlices(listingOf(queue, stateCase)).then((listing) => ({
      pieces: jsonOfQueue(listing),
    }))
  })

/** Changes only the settings that the body contains. */
export const updateQueue: Operation<wire.WriteQueue, wire.QueueConfiguration> = (context, body) => {
  const read = readSettings(body)
  return withQueue(context, body, (queue) => {
    if ('rejection' in read) return read
    const outcome = context.manager.send(queue.name, { type: 'updateQueue', set: read.settings })
    if (!outcome.accepted) return reject(outcome.rejection)
    return answer(queueConfiguration(queue, context.stateCase))
  })
}

/** Deletes an empty queue and its history. */
export const deleteQueue = sending((_body: wire.QueueRef) => ({ type: 'deleteQueue' }))

/** The queue asks its clients for each merge from now on. */
export const attachCodeHost = reporting(({ codeHost }: wire.AttachCodeHost) => ({
  type: 'attachHost',
  codeHost,
}))

// The settings in a body.

const names = ['state', ...Object.keys(configurationFields)]
const known = new Set(names)

/** What a body may have besides settings: `getQueue` returns some of it, so it may be sent back. */
const others = new Set([
  ...['repo', 'targetBranch', 'deleteRequiredStatuses'],
  ...['branch', 'requiredStatusesSource', 'enqueuedPullRequests'],
])

function readSettings(body: wire.WriteQueue): { readonly settings: RecordedSettings } | Rejected {
  const unknown = Object.keys(body).find((name) => !known.has(name) && !others.has(name))
  if (unknown !== undefined) return contradiction(wordsAbout(unknown))
  // The schema has checked the known fields.
  const fields: [string, unknown][] = Object.entries(body).filter(([name]) => known.has(name))
  if (body.deleteRequiredStatuses === true) {
    if (body.requiredStatuses !== undefined) {
      return contradiction(
        'requiredStatuses and deleteRequiredStatuses contradict each other: give one',
      )
    }
    fields.push(['requiredStatuses', null])
  }
  return { settings: Object.fromEntries(fields) }
}

/** Says that there is no such setting, and what to write instead. A-8 */
function wordsAbout(name: string): string {
  const instead = removedSettings.get(name)
  if (instead !== undefined) return `the setting ${name} is gone: ${instead}`
  const nearest = nearestOf(name, names)
  const hint = nearest === null ? `: it has ${names.join(', ')}` : proposed(nearest)
  return `a queue has no setting ${quoteOf(name)}${hint}`
}

// All pull requests of a long queue at one instant, read in slices.
//
// Commands go on between the slices. The reader notes which pull requests they change and reads those
// again, until few are left; these it reads in the last slice, together with the order. So the result
// is the state at the instant of the last slice.

/** Pull requests in one slice, and in one piece of JSON. */
const perSlice = 500

/** What a pull request is known by, while others may be submitted under its number. */
type Turn = number

type Listing = {
  readonly configuration: wire.QueueConfiguration
  /** Those in the queue, by position. */
  readonly order: Iterable<Turn>
  /** Pull requests as JSON; of more than are in the queue. */
  readonly rows: ReadonlyMap<Turn, string>
}

/** Reads the queue; yields at the end of each slice. */
export function* listingOf(
  queue: ManagedQueue,
  stateCase: StateCase,
): Generator<undefined, Listing> {
  const rows = new Map<Turn, string>()
  const read = (number: PullRequestNumber): void => {
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) return
    const row = enqueuedPullRequest(queue, pullRequest, stateCase)
    rows.set(turnOf(pullRequest), JSON.stringify(row))
  }
  const changes = new Changes(queue.engine.queue)
  queue.followers.add(changes.follow)
  try {
    let unread: Iterable<PullRequestNumber> = queue.positions().numbers()
    for (let isLast = false; !isLast;) {
      yield* eachInSlices(unread, read)
      const changed = changes.taken()
      // A change of state or mode changes what every pull request shows.
      unread = changed === 'all' ? queue.positions().numbers() : changed
      isLast = changed !== 'all' && changed.length <= perSlice
    }
    for (const number of unread) read(number)
    const order = queue.positions().turns()
    return { configuration: queueConfiguration(queue, stateCase), order, rows }
  } finally {
    queue.followers.delete(changes.follow)
  }
}

function* eachInSlices<Item>(
  items: Iterable<Item>,
  use: (item: Item) => void,
): Generator<undefined, void> {
  let count = 0
  for (const item of items) {
    use(item)
    if (++count % perSlice === 0) yield
  }
}

/** Returns the queue as JSON in pieces. */
export function* jsonOfQueue({ configuration, order, rows }: Listing): Generator<string> {
  yield `${JSON.stringify(configuration).slice(0, -1)},"enqueuedPullRequests":[`
  const all = Array.from(order, (turn) => rows.get(turn) ?? '')
  for (let from = 0; from < all.length; from += perSlice) {
    yield `${from === 0 ? '' : ','}${all.slice(from, from + perSlice).join(',')}`
  }
  yield ']}'
}

/** What has changed since it was last asked. */
class Changes {
  readonly #queue: QueueView
  readonly #numbers = new Set<PullRequestNumber>()
  #areAll = false

  constructor(queue: QueueView) {
    this.#queue = queue
  }

  readonly follow = (events: readonly Event[]): void => {
    for (const event of events) {
      if (event.type === 'queueStateChanged' || event.type === 'queueConfigured')
        this.#areAll = true
      else for (const number of concernedBy(event, this.#queue)) this.#numbers.add(number)
    }
  }

  taken(): PullRequestNumber[] | 'all' {
    const taken = this.#areAll ? 'all' : [...this.#numbers]
    this.#areAll = false
    this.#numbers.clear()
    return taken
  }
}

/** The settings of a queue. While the queue switches modes, `mode` is the new mode. */
function queueConfiguration(
  { ref, engine }: ManagedQueue,
  stateCase: StateCase,
): wire.QueueConfiguration {
  const { state, wishedMode, configuration } = engine.queue
  const { requiredStatuses } = configuration
  return {
    branch: ref.targetBranch,
    state: inCase(state, stateCase),
    ...configuration,
    mode: wishedMode ?? configuration.mode,
    bisectionConcurrency: bisectionSlots(configuration),
    requiredStatuses: requiredStatuses && [...requiredStatuses],
  }
}

/** Longer queues are read and sent in slices. */
const shortLength = 1000

function isShort(queue: ManagedQueue): boolean {
  return queue.positions().size <= shortLength
}

export function queueWithPullRequests(queue: ManagedQueue, stateCase: StateCase): wire.Queue {
  const enqueued: wire.EnqueuedPullRequest[] = []
  for (const pullRequest of queue.positions().inOrder()) {
    enqueued.push(enqueuedPullRequest(queue, pullRequest, stateCase))
  }
  return { ...queueConfiguration(queue, stateCase), enqueuedPullRequests: enqueued }
}

// Operations about tests in quarantine. Rules.

/** Puts a test in quarantine, in the name of the token. */
export const quarantineTest: Operation<wire.QuarantineTest, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => {
    const { test, why, until } = body
    const { manager, caller } = context
    const end = until === undefined ? {} : { until: Date.parse(until) }
    if (end.until !== undefined && !(end.until > manager.now)) {
      const example = new Date(manager.now + dayMs).toISOString()
      return contradiction(`until must be an instant to come, like ${example}`)
    }
    const entry = { who: caller.name, ...(why === undefined ? {} : { why }), ...end }
    return done(manager.send(name, { type: 'quarantineTest', test: { name: test }, ...entry }))
  })

const dayMs = 24 * 3_600_000

/** Takes a test out of quarantine. */
export const releaseTest: Operation<wire.ReleaseTest, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => {
    const test = { name: body.test }
    return done(context.manager.send(name, { type: 'releaseTest', test }))
  })

/** Returns the tests in quarantine, and the proposals. */
export const getQuarantine: Operation<wire.QueueRef, wire.Quarantine> = (context, body) =>
  withQueue(context, body, (queue) => answer(quarantineOf(queue, context.manager.now)))

/** Links a ticket to a test case. The same link again changes nothing; another one replaces it. */
export const linkTicketToTestCase: Operation<wire.LinkTicketToTestCase, wire.TicketLink> = (
  { manager },
  body,
) => {
  const repository = repositoryOf(body.repo)
  const testCase = body.test_case_id.toLowerCase()
  const ticket = body.external_ticket_id
  const linked = manager.registry.testCases.find(repository, testCase)?.ticket
  if (linked?.id === ticket) return answer(link(testCase, ticket, linked.linkedAt))
  const outcome = manager.send(null, { type: 'linkTicket', repository, testCase, ticket })
  return outcome.accepted ? answer(link(testCase, ticket, outcome.at)) : reject(outcome.rejection)
}

function link(testCase: string, ticket: string, at: number): wire.TicketLink {
  return {
    test_case_id: testCase,
    external_ticket_id: ticket,
    linkedAt: new Date(at).toISOString(),
  }
}

const defaultTake = 50

/** Lists the test cases of a repository with their flakes and tickets; none if it is unknown. */
export const listTestCases: Operation<wire.ListTestCases, wire.TestCasePage> = (
  { manager },
  body,
) => {
  const { take = defaultTake, cursor = '0' } = body
  const from = Number(cursor)
  const testCases: wire.TestCase[] = []
  let position = 0
  for (const testCase of manager.registry.testCases.of(repositoryOf(body.repo))) {
    if (testCases.length === take) return answer({ testCases, nextCursor: String(position) })
    if (position >= from) testCases.push(testCaseView(testCase))
    position++
  }
  return answer({ testCases })
}

function testCaseView({ id, name, file, flakes, lastFlakeAt, ticket }: TestCase): wire.TestCase {
  return {
    test_case_id: id,
    name,
    file,
    flakes,
    lastFlakeAt: lastFlakeAt === null ? null : new Date(lastFlakeAt).toISOString(),
    external_ticket_id: ticket?.id ?? null,
  }
}
