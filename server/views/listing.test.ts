/** A long queue is read in slices, and shows one instant although commands go on meanwhile. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCommand } from '../testing/any-command.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { jsonOfQueue, listingOf, queueWithPullRequests } from '../operations/queues.ts'

const known = 2200

function longQueue(): DrivenQueue {
  const told = new DrivenQueue({ concurrency: 3, mode: 'parallel' })
  for (let number = 1; number <= known; number++) {
    told.at(number, { type: 'setImpactedTargets', number, targets: ['web'] })
    told.submit(number, number)
  }
  return told
}

const commands = fc.array(anyCommand(known + 20), { maxLength: 5 })

//
test('whatever commands come between the slices, the result is the queue at the last slice', () => {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 8 }), (between) => {
      const told = longQueue()
      const { queue } = told
      const reading = listingOf(queue, 'upper')
      let slices = 1
      let slice = reading.next()
      for (; slice.done !== true; slice = reading.next()) {
        for (const each of between[slices - 1] ?? []) told.tried(known + slices, each)
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
  const told = longQueue()
  const { queue } = told
  const reading = listingOf(queue, 'upper')
  reading.next()
  for (let each = 1; each <= known; each++) {
    told.at(known, { type: 'submitPullRequest', number: each, priority: 7 })
  }
  let slices = 1
  let slice = reading.next()
  for (; slice.done !== true; slice = reading.next()) slices++
  // The first slice, and 2,200 changes in slices of 500.
  expect(slices).toBe(1 + 4)
  const text = [...jsonOfQueue(slice.value)].join('')
  expect(JSON.parse(text)).toEqual(queueWithPullRequests(queue, 'upper'))
})
