import { expect, test } from 'vitest'
import type { QueueView } from './state.ts'
import { batchSize, standsOn } from './policy.ts'
import { Story } from '../testing/story.ts'

// E-189
test('a group is tested on top if the chance that all below pass is at least 0.3', () => {
  const story = new Story({ policy: 'adaptive', concurrency: 3 })
  story.submit(1, 2, 3)
  const [screened, single, behind] = Object.values(story.queue.groups)
  if (!screened || !single || !behind) throw new Error('three groups are in the line')
  const withFailures = (failed: number): QueueView => ({
    ...story.queue,
    judged: { count: 87, failed },
    groups: { 1: { ...screened, screened: true }, 2: single, 3: behind },
  })
  // One that was screened passes with 0.97, the other one with 1 - 67 / 97 = 0.3 / 0.97.
  expect(standsOn(withFailures(66), behind)).toBe('predecessors')
  expect(standsOn(withFailures(67), behind)).toBe('the branch alone')
})

// E-245
test('a batch is full with four while more than one in five fails, and with two else', () => {
  const { queue } = new Story({ policy: 'adaptive', batch: true, batchingMinSize: 16 })
  const withTarget = (failed: number, batchingMinSize: number): number => {
    const configuration = { ...queue.configuration, batchingMinSize }
    return batchSize({ ...queue, configuration, judged: { count: 10, failed } })
  }
  expect(withTarget(3, 16)).toBe(2)
  expect(withTarget(4, 16)).toBe(4)
  expect(withTarget(4, 3)).toBe(3)
})
