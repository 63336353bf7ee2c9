/** One queue of the server: its engine, and the data that the server keeps in addition. */

import {
  createdQueue,
  Engine,
  type Actor,
  type CodeHost,
  type CreateQueue,
  type EngineCommand,
  type Event,
  type Millis,
  type Queue,
  type TestRunner,
} from '../../engine/index.ts'
import { emptyHistory, remember, type QueueHistory } from '../history/queue-history.ts'
import type { TestCases } from '../history/test-cases.ts'
import { Positions } from '../positions/positions.ts'
import { noteRuns, queueIds, type QueueIds, type RunEpoch } from '../identity/ids.ts'
import { QueueNotices } from '../notices/queue-notices.ts'
import { nameOfQueue, queueRefFrom, type QueueRef } from '../identity/queue-ref.ts'

/**
 * The test runner and code host of a queue. By default both do nothing: clients read and report
 * runs over the API, and merges succeed at once.
 */
export type Integrations = { readonly testRunner: TestRunner; readonly codeHost?: CodeHost }

export const apiOnlyIntegrations: Integrations = {
  testRunner: { start: () => undefined, cancel: () => undefined },
}

/** The complete serializable state of a queue. Only its engine changes it. */
export type ManagedQueueState = {
  readonly name: string
  readonly incarnation: string
  /** The epochs in the ids of its test runs. */
  readonly epochs: RunEpoch[]
  readonly queue: Queue
  readonly history: QueueHistory
}

export type ManagedQueue = {
  readonly ref: QueueRef
  readonly name: string
  readonly ids: QueueIds
  readonly engine: Engine
  readonly history: QueueHistory
  readonly notices: QueueNotices
  /** Computed at the first call and kept up to date afterwards. */
  readonly positions: () => Positions
  /** Called with the events of each later command, once everything here is up to date. */
  readonly followers: Set<(events: readonly Event[]) => void>
  /** Who made the commits that were tested by themselves since the start of the server, by the number of the commit. */
  readonly tipAuthors: Map<number, string>
  readonly state: ManagedQueueState
}

export type QueuePorts = {
  readonly wakeAt: (instant: Millis) => void
  readonly integrations: Integrations
  readonly testCases: TestCases
  /** The epoch of the command that is applied; null before there were epochs. */
  readonly epoch: () => string | null
}

export function makeQueue(
  ref: QueueRef,
  command: CreateQueue & { readonly at: Millis },
  ports: QueuePorts,
): ManagedQueue {
  const queue = createdQueue(command, command.at)
  const { incarnation } = command
  const history = emptyHistory()
  const made = { name: nameOfQueue(ref), incarnation, epochs: [], queue, history }
  return restoreQueue(made, ports)
}

/** What a command carries beside the fields of the engine. */
type SentBeside = { readonly at: Millis; readonly by?: Actor }

export function restoreQueue(state: ManagedQueueState, ports: QueuePorts): ManagedQueue {
  const { name, incarnation, epochs, history } = state
  const { wakeAt, integrations, testCases, epoch } = ports
  const ref = queueRefFrom(name)
  const engine = new Engine(state.queue, { clock: { wakeAt }, ...integrations })
  let positions: Positions | null = null
  const followers: ManagedQueue['followers'] = new Set()
  const ids = queueIds(incarnation, epochs)
  const notices = new QueueNotices(ids, engine.queue, history)
  let statuses = engine.queue.configuration.requiredStatuses
  // These are the commands of the queue manager, with more fields than the engine needs.
  engine.subscribe((command: EngineCommand & SentBeside, events) => {
    remember(history, command, events)
    const { requiredStatuses } = engine.queue.configuration
    if (requiredStatuses !== statuses) history.statusesUntil.push({ until: command.at, statuses })
    statuses = requiredStatuses
    noteRuns(epochs, events, epoch())
    notices.follow(events)
    if (command.type === 'finishTestRun') {
      const { failedTests = [], flakyTests = [] } = command
      for (const test of [...failedTests, ...flakyTests]) testCases.record(ref, test)
    }
    testCases.countFlakes(ref, command.at, events)
    positions?.follow(events)
    for (const follow of followers) follow(events)
  })
  const positionsOf = (): Positions => (positions ??= new Positions(engine.queue))
  const facts = { ref, name, ids, engine, history, notices, tipAuthors: new Map() }
  return { ...facts, positions: positionsOf, followers, state }
}
