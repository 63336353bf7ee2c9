/** One queue of the yard: its engine, and what the server keeps beside it. */

import {
  createdQueue,
  Engine,
  type CodeHost,
  type Millis,
  type Queue,
  type TestRunner,
} from '../../engine/index.ts'
import { emptyHistory, remember, type QueueHistory } from '../history/queue-history.ts'
import type { TestCases } from '../history/test-cases.ts'
import { Places } from '../places/places.ts'
import type { CreateQueue, EngineCommand } from './commands.ts'
import { idPrefixes, type IdPrefixes } from './ids.ts'
import { nameOfQueue, queueRefFrom, type QueueRef } from './queue-ref.ts'

/**
 * Who makes the test runs of a queue and merges its pull requests. By default nobody is called:
 * runs are looked up and reported over the API, and a merge is the queue's own decision.
 */
export type World = { readonly testRunner: TestRunner; readonly codeHost?: CodeHost }

export const externalWorld: World = {
  testRunner: { start: () => undefined, cancel: () => undefined },
}

/** All there is to know of a queue, to be written down and read back. Only its engine changes it. */
export type YardQueueState = {
  readonly name: string
  readonly incarnation: string
  readonly queue: Queue
  readonly history: QueueHistory
}

export type YardQueue = {
  readonly ref: QueueRef
  readonly name: string
  readonly ids: IdPrefixes
  readonly engine: Engine
  readonly history: QueueHistory
  /** Made when first asked for, and kept up to date from then on. */
  readonly places: () => Places
  readonly state: YardQueueState
}

export type QueuePorts = {
  readonly wakeAt: (instant: Millis) => void
  readonly world: World
  readonly testCases: TestCases
}

export function makeQueue(
  ref: QueueRef,
  command: CreateQueue & { readonly at: Millis },
  ports: QueuePorts,
): YardQueue {
  const queue = createdQueue(command, command.at)
  const { incarnation } = command
  const made = { name: nameOfQueue(ref), incarnation, queue, history: emptyHistory() }
  return restoreQueue(made, ports)
}

export function restoreQueue(state: YardQueueState, ports: QueuePorts): YardQueue {
  const { name, incarnation, history } = state
  const { wakeAt, world, testCases } = ports
  const ref = queueRefFrom(name)
  const engine = new Engine(state.queue, { clock: { wakeAt }, ...world })
  let places: Places | null = null
  // The commands are the yard's, which say more than an engine asks for.
  engine.subscribe((command: EngineCommand & { readonly at: Millis }, events) => {
    remember(history, command, events)
    if (command.type === 'finishTestRun') {
      const { failedTests = [], flakyTests = [] } = command
      for (const test of [...failedTests, ...flakyTests]) testCases.record(ref, test)
    }
    testCases.countFlakes(ref, command.at, events)
    places?.follow(events)
  })
  const ids = idPrefixes(incarnation)
  const placesOf = (): Places => (places ??= new Places(engine.queue))
  return { ref, name, ids, engine, history, places: placesOf, state }
}
