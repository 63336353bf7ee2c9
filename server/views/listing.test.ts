/** A long queue is read in slices, and shows one instant although commands go on meanwhile. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
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

const waits = (): DrivenQueue => {
  const told = new DrivenQueue({ mode: 'parallel' })
  told.submit(0, 1)
  told.at(0, { type: 'submitPullRequest', number: 2, dependsOn: [1] })
  return told
}

/** The second batch has passed, and waits for the first, whose merge is requested. */
const passed = (): DrivenQueue => {
  const told = new DrivenQueue({ batch: true, batchingMinSize: 2 }, { codeHost: 'groups' })
  told.submit(0, 1, 2, 3, 4)
  told.end(1, 2, 'passed')
  told.end(1, 1, 'passed')
  return told
}

test.each<[what: string, told: DrivenQueue, then: RecordedCommand]>([
  ['what it depends on', waits(), { type: 'setImpactedTargets', number: 1, targets: [] }],
  ['its batch', passed(), { type: 'finishMerge', number: 1, numbers: [1, 2], refused: null }],
])('a pull request is read again when it shows something else of %s', (_what, told, then) => {
  for (let number = 5; number <= known; number++) told.submit(number, number)
  const reading = listingOf(told.queue, 'upper')
  reading.next()
  told.at(known, then)
  let slice = reading.next()
  while (slice.done !== true) slice = reading.next()
  const text = [...jsonOfQueue(slice.value)].join('')
  expect(JSON.parse(text)).toEqual(queueWithPullRequests(told.queue, 'upper'))
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
