/** A long queue is read in slices, and shows one instant although commands go on meanwhile. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { silent } from '../testing/recording.ts'
import { jsonOfQueue, listingOf, queueWithPullRequests } from '../operations/queues.ts'

const shop = 'github.com/acme/shop:main'
const known = 2200

function longQueue() {
  const registry = new QueueRegistry(silent)
  const send = (command: RecordedCommand): void => {
    const sequence = registry.sequence + 1
    registry.apply({ sequence, at: sequence, queue: shop, command })
  }
  const set = { concurrency: 3, mode: 'parallel' } as const
  send({ type: 'createQueue', incarnation: '0c9a5a2e-5b1f-4a33-8c1d-000000000001', set })
  for (let number = 1; number <= known; number++) {
    send({ type: 'setImpactedTargets', number, targets: ['web'] })
    send({ type: 'submitPullRequest', number })
  }
  const queue = registry.find(shop)
  if (!queue) throw new Error('no queue')
  return { queue, send }
}

const number = fc.integer({ min: 1, max: known + 20 })
const command: fc.Arbitrary<RecordedCommand> = fc.oneof(
  fc.record({ type: fc.constant('submitPullRequest'), number, sha: fc.constantFrom('a', 'b') }),
  fc.record({ type: fc.constant('submitPullRequest'), number, priority: fc.nat(255) }),
  fc.record({
    type: fc.constant('cancelPullRequest'),
    number,
    reason: fc.constant('USER_REQUESTED'),
  }),
  fc.record({ type: fc.constant('reportPullRequest'), number, mergeable: fc.boolean() }),
  fc.record({
    type: fc.constant('finishTestRun'),
    testRun: fc.integer({ min: 1, max: 9 }),
    outcome: fc.constant('passed'),
  }),
  fc.record({
    type: fc.constant('updateQueue'),
    set: fc.record({ state: fc.constantFrom('PAUSED', 'RUNNING') }),
  }),
)

//
test('whatever commands come between the slices, the result is the queue at the last slice', () => {
  fc.assert(
    fc.property(fc.array(fc.array(command, { maxLength: 5 }), { maxLength: 8 }), (between) => {
      const { queue, send } = longQueue()
      const reading = listingOf(queue, 'upper')
      let slices = 1
      let slice = reading.next()
      for (; slice.done !== true; slice = reading.next()) {
        for (const each of between[slices - 1] ?? []) send(each)
        slices++
      }
      const expected = queueWithPullRequests(queue, 'upper')
      const pieces = [...jsonOfQueue(slice.value)]
      expect(JSON.parse(pieces.join(''))).toEqual(expected)
      expect(slices).toBeGreaterThanOrEqual(4)
      expect(pieces.length).toBeGreaterThanOrEqual(4)
      expect(queue.followers.size).toBe(0)
    }),
    { numRuns: 8 },
  )
})

test('more changes than fit into one slice are read in slices, too', () => {
  const { queue, send } = longQueue()
  const reading = listingOf(queue, 'upper')
  reading.next()
  for (let each = 1; each <= known; each++) {
    send({ type: 'submitPullRequest', number: each, priority: 7 })
  }
  let slices = 1
  let slice = reading.next()
  for (; slice.done !== true; slice = reading.next()) slices++
  // The first slice, and 2,200 changes in slices of 500.
  expect(slices).toBe(1 + 4)
  const text = [...jsonOfQueue(slice.value)].join('')
  expect(JSON.parse(text)).toEqual(queueWithPullRequests(queue, 'upper'))
})
