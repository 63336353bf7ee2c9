/** The numbers of messages: a pure function of the command log. */

import { expect, test } from 'vitest'
import { appliedOf } from '../queues/publisher.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { linesOfState, stateOfLines } from '../store/snapshot-file.ts'
import { entries, silent } from '../testing/recording.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { messagesOf } from '../webhooks/message.ts'

/** Applies all entries, and makes the messages of those after the entry `from`. */
function sequencesFrom(from: number): { readonly numbers: unknown[]; readonly payloads: string[] } {
  let registry = new QueueRegistry(silent)
  const payloads: string[] = []
  for (const entry of entries()) {
    const outcome = registry.apply(entry)
    if (!outcome.accepted || entry.queue === null) throw new Error('not accepted')
    const { sequence } = entry
    const applied = appliedOf(entry, outcome)
    if (sequence > from) payloads.push(...messagesOf(applied, 'origin').map((each) => each.payload))
    if (sequence === from) registry = restored(registry)
  }
  const numbers = payloads.map((payload) => {
    const body: { readonly sequence?: unknown } = JSON.parse(payload)
    return body.sequence
  })
  return { numbers, payloads }
}

/** The registry as a snapshot keeps it. */
function restored(registry: QueueRegistry): QueueRegistry {
  const { queues, testCases } = stateOfLines(registry, linesOfState(registry.state()))
  return new QueueRegistry(silent, { ...registry.state(), queues, testCases })
}

//
test('messages of a queue are numbered from 1 without a gap', () => {
  const { numbers } = sequencesFrom(0)
  expect(numbers.length).toBeGreaterThan(200)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

//
test('given a snapshot at any entry, the messages made from it have the same numbers and bytes', () => {
  const { payloads } = sequencesFrom(0)
  const last = entries().length
  for (let from = 1; from < last; from++) {
    const again = sequencesFrom(from).payloads
    expect(again).toEqual(payloads.slice(payloads.length - again.length))
  }
})

//
test('given a queue that is deleted and created again, the numbers begin again', () => {
  const driven = new DrivenQueue()
  const applied = [
    driven.created,
    driven.at(1, { type: 'deleteQueue' }),
    driven.at(2, driven.created.command),
  ]
  const numbers = applied.flatMap(({ notices }) => notices.map(({ sequence }) => sequence))
  expect(numbers).toEqual([1, 2, 1])
})
